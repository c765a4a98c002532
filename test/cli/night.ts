/** A rack without power: 9 brokers, 3 of them down, 1,200 of 1,800 partitions offline, 50 of them without any replica alive. */
export function rackWithoutPower(more: object = {}): object {
  const brokers = Array.from({ length: 9 }, (_, index) => ({
    id: index + 1,
    rack: 'abc'[Math.floor(index / 3)],
    state: index < 3 ? 'down' : 'up',
    logDirs: ['/data/a', '/data/b'],
  }))
  const offline = (name: string, count: number, alive: boolean) => ({
    name,
    config: { 'min.insync.replicas': '2' },
    partitions: Array.from({ length: count }, (_, partition) => {
      const away = 1 + (partition % 3)
      const assignment = alive ? [away, 4 + (partition % 3), 7 + (partition % 2)] : [away, 1 + (away % 3)]
      const end = 2_000 + partition
      return {
        partition,
        assignment,
        leader: -1,
        leaderEpoch: 4,
        isr: [],
        elr: [away],
        lastKnownElr: [away],
        logs: Object.fromEntries(
          assignment.map((broker, place) => [
            broker,
            {
              logDir: '/data/a',
              logStartOffset: 0,
              // Every third partition parts: the longer log is on an older epoch.
              logEndOffset: partition % 3 === 0 && place === 2 ? end + 10 : end - (place === 1 ? 0 : 5),
              epochs:
                partition % 3 === 0 && place === 2
                  ? [[0, 0]]
                  : [
                      [0, 0],
                      [3, 1_990],
                    ],
            },
          ]),
        ),
      }
    }),
  })
  return {
    clusterId: 'SIMULATED-rack',
    personality: 'stock',
    brokers,
    topics: [
      offline('orders', 400, true),
      offline('payments.transactions.settled', 300, true),
      offline('clickstream', 450, true),
      offline('audit', 50, false),
      { name: 'healthy', partitionCount: 600, replicationFactor: 3, offlineShare: 0, seed: 7 },
    ],
    ...more,
  }
}

/** State Z on three partitions of broker 1, beside two that broker 2, which is down, led last. */
export function emptiedLeader(more: object = {}): object {
  const log = (logEndOffset: number, epochs: number[][]) => ({ logDir: '/d', logStartOffset: 0, logEndOffset, epochs })
  const other = (partition: number, history: number[][]) => ({
    partition,
    assignment: [2, 3, 4],
    leader: -1,
    leaderEpoch: 5,
    isr: [],
    elr: [2],
    lastKnownElr: [2],
    logs: { 2: log(700, [[0, 0]]), 3: log(600, history), 4: log(650, [[0, 0]]) },
  })
  return {
    clusterId: 'SIMULATED-emptied',
    personality: 'stock',
    brokers: [1, 2, 3, 4].map((id) => ({ id, state: id === 2 ? 'down' : 'up', logDirs: ['/d'] })),
    topics: [
      {
        name: 'orders',
        partitions: [0, 1, 2].map((partition) => ({
          partition,
          assignment: [1, 2, 3],
          leader: -1,
          leaderEpoch: 5,
          isr: [],
          elr: [],
          lastKnownElr: [1],
          logs: {
            1: log(0, []),
            2: log(5_000, [[0, 0]]),
            3: log(4_900, [[0, 0]]),
          },
        })),
      },
      {
        name: 'other',
        partitions: [
          other(0, [[0, 0]]),
          other(1, [
            [0, 0],
            [3, 300],
          ]),
          // Broker 1, which is to be stopped, has the best log of this one.
          {
            partition: 2,
            assignment: [2, 1, 3],
            leader: -1,
            leaderEpoch: 5,
            isr: [],
            elr: [2],
            lastKnownElr: [2],
            logs: { 1: log(500, [[0, 0]]), 2: log(510, [[0, 0]]), 3: log(400, [[0, 0]]) },
          },
        ],
      },
    ],
    ...more,
  }
}
