import { broker, EMPTY, healthy, log, type NamedScenario, offline } from './parts.js'

/** A whole bad night on six brokers: a rack without power, a failed disk, an emptied last leader, and help that comes late. */
export const nightShift: NamedScenario = {
  clusterId: 'SIMULATED-night-shift',
  teaches: 'a whole bad night: read the alarms first, elect what is safe, leave the rest with its reason',
  personality: 'stock',
  brokers: [
    broker(1, { rack: 'a', state: 'down', stopped: 'kill' }),
    broker(2, { rack: 'a', state: 'down' }),
    broker(3, { rack: 'b', failedLogDirs: ['/data/b'] }),
    broker(4, { rack: 'b' }),
    broker(5, { rack: 'c', responseDelayMs: 15 }),
    broker(6, { rack: 'c' }),
  ],
  topics: [
    {
      name: '__consumer_offsets',
      config: { 'cleanup.policy': 'compact' },
      partitions: [
        healthy(0, [4, 5, 6], 5200),
        offline(
          1,
          [1, 2, 5],
          7,
          {
            1: log(0, 8120, [
              [0, 0],
              [6, 7900],
            ]),
            2: log(0, 8044, [
              [0, 0],
              [6, 7900],
            ]),
            5: log(0, 8040, [
              [0, 0],
              [6, 7900],
            ]),
          },
          { elr: [1], lastKnownElr: [1] },
        ),
        healthy(2, [6, 3, 4], 4410),
        offline(
          3,
          [2, 1, 4],
          5,
          {
            1: log(0, 610, [[0, 0]]),
            2: log(0, 700, [
              [0, 0],
              [4, 640],
            ]),
            4: log(0, 640, [[0, 0]]),
          },
          { elr: [1], lastKnownElr: [1] },
        ),
      ],
    },
    {
      name: 'audit',
      config: { 'min.insync.replicas': '2' },
      partitions: [
        // Both copies are in the rack without power.
        offline(
          0,
          [1, 2],
          4,
          {
            1: log(200, 9000, [
              [1, 200],
              [3, 5000],
            ]),
            2: log(200, 8990, [
              [1, 200],
              [3, 5000],
            ]),
          },
          { elr: [1, 2], lastKnownElr: [1] },
        ),
        healthy(1, [4, 6], 8800),
      ],
    },
    {
      name: 'ledger',
      partitions: [
        // State Z: broker 6 led last, its disk was replaced, and it is back with nothing.
        offline(
          0,
          [6, 4, 5],
          9,
          {
            6: EMPTY,
            4: log(0, 48_210, [
              [0, 0],
              [5, 20_000],
              [8, 47_000],
            ]),
            5: log(0, 48_190, [
              [0, 0],
              [5, 20_000],
              [8, 47_000],
            ]),
          },
          { lastKnownElr: [6] },
        ),
        healthy(1, [5, 4, 6], 51_000, 8),
      ],
    },
    {
      name: 'orders',
      config: { 'min.insync.replicas': '2' },
      partitions: [
        // Two led for a while without each other: the longer log is on the older epoch.
        offline(
          0,
          [1, 3, 4],
          8,
          {
            1: log(
              0,
              12_400,
              [
                [0, 0],
                [5, 4000],
                [7, 11_900],
              ],
              { highWatermark: 12_390 },
            ),
            3: log(
              0,
              12_650,
              [
                [0, 0],
                [5, 4000],
              ],
              { highWatermark: 11_800 },
            ),
            4: log(
              0,
              12_310,
              [
                [0, 0],
                [5, 4000],
                [7, 11_900],
              ],
              { highWatermark: 12_280 },
            ),
          },
          { elr: [1], lastKnownElr: [1] },
        ),
        // Broker 2 led last; it comes back after a minute, with everything.
        offline(
          1,
          [2, 4, 5],
          6,
          {
            2: log(0, 30_000, [
              [0, 0],
              [5, 21_000],
            ]),
            4: log(0, 29_200, [
              [0, 0],
              [5, 21_000],
            ]),
            5: log(0, 28_700, [
              [0, 0],
              [5, 21_000],
            ]),
          },
          { elr: [2], lastKnownElr: [2] },
        ),
        healthy(2, [4, 5, 6], 27_500),
        healthy(3, [5, 1, 2], 26_000, 4, [5]),
      ],
    },
    {
      name: 'payments',
      partitions: [
        // The last leader's replica lies on broker 3's failed directory.
        offline(
          0,
          [3, 5, 1],
          5,
          {
            3: log(
              0,
              7400,
              [
                [0, 0],
                [4, 3000],
              ],
              { logDir: '/data/b' },
            ),
            5: log(0, 7320, [
              [0, 0],
              [4, 3000],
            ]),
            1: log(0, 7100, [
              [0, 0],
              [4, 3000],
            ]),
          },
          { elr: [3], lastKnownElr: [3] },
        ),
        healthy(1, [3, 4, 5], 7000),
      ],
    },
    { name: 'clickstream', partitionCount: 60, replicationFactor: 3, offlineShare: 0.15, seed: 11 },
  ],
  events: [{ afterMs: 60_000, brokerUp: 2 }],
}
