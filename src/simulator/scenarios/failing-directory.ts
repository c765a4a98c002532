import { broker, healthy, log, type NamedScenario } from './parts.js'

/** Epoch 3 began here in every log: the copies of a partition differ in how far they go, and in nothing else. */
const EPOCHS: [epoch: number, startOffset: number][] = [
  [0, 0],
  [3, 500],
]
/** A replica in /data/b, and one in /data/a. */
const onB = (end: number) => log(0, end, EPOCHS, { logDir: '/data/b' })
const onA = (end: number) => log(0, end, EPOCHS)

/**
 * All is well at first. Then /data/b of broker 1 fails: it holds the last leader of clicks-0, which others have nearly whole, a follower
 * of clicks-1, and the leader of pages-0, which broker 2 takes over. Its good directory holds audit-0, which nobody else has.
 */
export const failingDirectory: NamedScenario = {
  clusterId: 'SIMULATED-failing-directory',
  teaches:
    'a directory of broker 1 fails after 12 s: 2 and enter lead through its repair; replaced blindly it wipes clicks-0',
  brokers: [
    broker(1, { logDirs: ['/data/a', '/data/b'] }),
    broker(2, { logDirs: ['/data/a', '/data/b'] }),
    broker(3, { logDirs: ['/data/a', '/data/b'] }),
  ],
  topics: [
    {
      name: 'audit',
      partitions: [
        {
          partition: 0,
          assignment: [1],
          leader: 1,
          leaderEpoch: 3,
          isr: [1],
          elr: [],
          lastKnownElr: [],
          logs: { 1: onA(900) },
        },
      ],
    },
    {
      name: 'clicks',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2, 3],
          leader: 1,
          leaderEpoch: 3,
          isr: [1],
          elr: [],
          lastKnownElr: [],
          logs: { 1: onB(60_000), 2: onA(59_000), 3: onA(58_900) },
        },
        {
          partition: 1,
          assignment: [2, 1, 3],
          leader: 2,
          leaderEpoch: 3,
          isr: [2, 1, 3],
          elr: [],
          lastKnownElr: [],
          logs: { 1: onB(41_000), 2: onA(41_000), 3: onA(41_000) },
        },
        healthy(2, [3, 2], 4_000),
      ],
    },
    {
      name: 'pages',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 3,
          isr: [1, 2],
          elr: [],
          lastKnownElr: [],
          logs: { 1: onB(30_000), 2: onA(30_000) },
        },
      ],
    },
  ],
  catchUpOffsetsPerSecond: 3_000,
  events: [{ afterMs: 12_000, failLogDir: { broker: 1, path: '/data/b' } }],
}
