import { HOSTILE_TEXT, TOPIC } from './hostile-names.js'

const DIRECTORY = `/d${HOSTILE_TEXT}`
/** A scenario's fields, with hostile text in every name that a cluster has: broker 3 is down, two partitions have no leader, a directory has failed. */
export function hostileCluster(more: object = {}) {
  const log = (logEndOffset: number, logDir = DIRECTORY) => ({
    logDir,
    logStartOffset: 0,
    logEndOffset,
    epochs: [[0, 0]],
  })
  return {
    clusterId: `SIMULATED${HOSTILE_TEXT}`,
    brokers: [1, 2, 3].map((id) => ({
      id,
      rack: HOSTILE_TEXT,
      state: id === 3 ? 'down' : 'up',
      logDirs: [DIRECTORY, '/other'],
      failedLogDirs: id === 2 ? ['/other'] : [],
    })),
    topics: [
      {
        name: TOPIC,
        config: { 'min.insync.replicas': '2', 'cleanup.policy': HOSTILE_TEXT },
        partitions: [
          {
            partition: 0,
            assignment: [3, 1, 2],
            leader: -1,
            leaderEpoch: 4,
            isr: [],
            elr: [],
            lastKnownElr: [],
            logs: { 1: log(90), 2: log(100) },
          },
          {
            partition: 1,
            assignment: [1, 2, 3],
            leader: 1,
            leaderEpoch: 4,
            isr: [1],
            logs: { 1: log(70), 2: log(70, '/other') },
          },
          {
            partition: 2,
            assignment: [2, 3],
            leader: -1,
            leaderEpoch: 4,
            isr: [],
            elr: [],
            lastKnownElr: [3],
            logs: { 2: log(70, '/other') },
          },
        ],
      },
    ],
    ...more,
  }
}
