import { broker, EMPTY, healthy, log, type NamedScenario, offline } from './parts.js'

/** One situation each. */

export const longestIsNotBest: NamedScenario = {
  clusterId: 'SIMULATED-longest-is-not-best',
  teaches: 'the longest log is not the best one: what it holds beyond the others was never agreed',
  brokers: [broker(1), broker(2), broker(3, { state: 'down', stopped: 'kill' })],
  topics: [
    {
      name: 'orders',
      config: { 'min.insync.replicas': '2' },
      partitions: [
        offline(0, [1, 2, 3], 6, {
          1: log(0, 1500, [[0, 0]], { highWatermark: 900 }),
          2: log(
            0,
            1200,
            [
              [0, 0],
              [5, 1000],
            ],
            { highWatermark: 1180 },
          ),
          3: log(
            0,
            1190,
            [
              [0, 0],
              [5, 1000],
            ],
            { highWatermark: 1180 },
          ),
        }),
        healthy(1, [2, 1, 3], 900, 4, [2, 1]),
      ],
    },
  ],
}

/** State Z: broker 1 led last, and is back with an empty disk. */
const emptiedLedger = offline(
  0,
  [1, 2, 3],
  5,
  {
    1: EMPTY,
    2: log(0, 8000, [
      [0, 0],
      [4, 5000],
    ]),
    3: log(0, 7950, [
      [0, 0],
      [4, 5000],
    ]),
  },
  { lastKnownElr: [1] },
)

export const emptiedLeader: NamedScenario = {
  clusterId: 'SIMULATED-emptied-leader',
  teaches: 'a replaced disk on the last leader: any touch makes its empty log the leader; stop broker 1 first',
  brokers: [broker(1), broker(2), broker(3), broker(4, { state: 'down' })],
  topics: [
    {
      name: 'ledger',
      partitions: [
        emptiedLedger,
        offline(
          1,
          [2, 1, 3],
          5,
          {
            1: EMPTY,
            2: log(0, 500, [[0, 0]]),
            3: log(0, 620, [
              [0, 0],
              [4, 480],
            ]),
          },
          { lastKnownElr: [1] },
        ),
        healthy(2, [3, 2, 1], 7400),
      ],
    },
  ],
  // Whoever starts another broker sets it off.
  events: [{ afterMs: 300_000, brokerUp: 4 }],
}

export const failedDirectory: NamedScenario = {
  clusterId: 'SIMULATED-failed-directory',
  teaches: 'one directory of broker 1 failed: it held the last leader of clicks-0 and the only copy of notes-0',
  brokers: [broker(1, { failedLogDirs: ['/data/b'] }), broker(2), broker(3)],
  topics: [
    {
      name: 'clicks',
      partitions: [
        offline(
          0,
          [1, 2, 3],
          4,
          {
            1: log(
              0,
              4000,
              [
                [0, 0],
                [3, 2500],
              ],
              { logDir: '/data/b' },
            ),
            2: log(0, 3900, [
              [0, 0],
              [3, 2500],
            ]),
            3: log(0, 3880, [
              [0, 0],
              [3, 2500],
            ]),
          },
          { elr: [1], lastKnownElr: [1] },
        ),
        healthy(1, [2, 3, 1], 4100),
      ],
    },
    {
      name: 'notes',
      partitions: [
        offline(0, [1], 1, { 1: log(0, 80, [[0, 0]], { logDir: '/data/b' }) }, { elr: [1], lastKnownElr: [1] }),
      ],
    },
  ],
}

export const waitForTheReturn: NamedScenario = {
  clusterId: 'SIMULATED-wait-for-the-return',
  teaches: 'the last leader comes back by itself after half a minute: waiting loses nothing, electing does',
  brokers: [broker(1, { state: 'down' }), broker(2), broker(3)],
  topics: [
    {
      name: 'payments',
      config: { 'min.insync.replicas': '2' },
      partitions: [
        offline(
          0,
          [1, 2, 3],
          7,
          {
            1: log(0, 6000, [
              [0, 0],
              [6, 4000],
            ]),
            2: log(
              0,
              5400,
              [
                [0, 0],
                [6, 4000],
              ],
              { highWatermark: 5400 },
            ),
            3: log(
              0,
              5390,
              [
                [0, 0],
                [6, 4000],
              ],
              { highWatermark: 5390 },
            ),
          },
          { elr: [1], lastKnownElr: [1] },
        ),
        healthy(1, [2, 3, 1], 5800, 6, [2, 3]),
      ],
    },
  ],
  events: [{ afterMs: 30_000, brokerUp: 1 }],
}

export const nobodyCanServe: NamedScenario = {
  clusterId: 'SIMULATED-nobody-can-serve',
  teaches: 'no replica is left to elect, or only an empty one: what stays with the operator, and why',
  brokers: [broker(1), broker(2, { state: 'down' }), broker(3, { state: 'down' }), broker(4, { state: 'fenced' })],
  topics: [
    {
      name: 'audit',
      partitions: [
        offline(0, [2, 3], 3, { 2: log(0, 900, [[0, 0]]), 3: log(0, 880, [[0, 0]]) }, { elr: [2], lastKnownElr: [2] }),
        // The one that answers was emptied; electing it would throw away the others' records.
        offline(
          1,
          [3, 1, 2],
          3,
          { 1: EMPTY, 2: log(0, 700, [[0, 0]]), 3: log(0, 710, [[0, 0]]) },
          {
            elr: [3],
            lastKnownElr: [3],
          },
        ),
        // Fenced: it answers, but may not lead.
        offline(2, [4, 2], 2, { 4: log(0, 300, [[0, 0]]), 2: log(0, 310, [[0, 0]]) }, { elr: [2], lastKnownElr: [2] }),
      ],
    },
    { name: 'fine', partitions: [healthy(0, [1, 2], 50, 1, [1])] },
  ],
}

export const slowAndSilent: NamedScenario = {
  clusterId: 'SIMULATED-slow-and-silent',
  teaches: 'broker 3 takes requests for logs and never answers: a late broker is no candidate, and that is said',
  brokers: [broker(1), broker(2, { responseDelayMs: 400 }), broker(3), broker(4, { state: 'down' })],
  topics: [
    {
      name: 'events',
      partitions: [0, 1, 2].map((partition) =>
        offline(
          partition,
          [4, 1, 2, 3],
          5,
          {
            1: log(0, 2000 + partition, [
              [0, 0],
              [4, 1500],
            ]),
            2: log(0, 2040 + partition, [
              [0, 0],
              [4, 1500],
            ]),
            3: log(0, 2050 + partition, [
              [0, 0],
              [4, 1500],
            ]),
            4: log(0, 2060 + partition, [
              [0, 0],
              [4, 1500],
            ]),
          },
          { elr: [4], lastKnownElr: [4] },
        ),
      ),
    },
  ],
  faults: [
    { broker: 3, api: 'ListOffsets', silent: true },
    { broker: 3, api: 'Fetch', silent: true },
  ],
}

export const designated: NamedScenario = {
  clusterId: 'SIMULATED-designated',
  teaches: 'brokers with KIP-1275: they elect whom they are told, also where a stock controller takes another',
  personality: 'kip1275',
  brokers: [broker(1), broker(2), broker(3)],
  topics: [
    {
      name: 'ledger',
      partitions: [
        emptiedLedger,
        offline(1, [3, 2, 1], 4, {
          1: log(0, 320, [
            [0, 0],
            [3, 300],
          ]),
          2: log(0, 310, [
            [0, 0],
            [3, 300],
          ]),
          3: log(0, 340, [[0, 0]]),
        }),
      ],
    },
  ],
}
