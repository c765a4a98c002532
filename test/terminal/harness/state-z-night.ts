import { checkScenario } from '../../../src/simulator/scenario.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'

/**
 * Broker 4 led `ledger` last, and is back with an empty disk: 15 partitions in state Z. On its other disk it leads `audit` alone: stopping it takes
 * that offline, until it returns. Broker 3 is away.
 */
export function stateZNight(): Scenario {
  const log = (logEndOffset: number, logDir: string) => ({
    logDir,
    logStartOffset: 0,
    logEndOffset,
    epochs:
      logEndOffset === 0
        ? []
        : [
            [0, 0],
            [4, Math.floor(logEndOffset / 2)],
          ],
  })
  return checkScenario(
    {
      clusterId: 'SIMULATED-state-z-night',
      personality: 'stock',
      brokers: [1, 2, 3, 4].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/a', '/b'] })),
      topics: [
        {
          name: 'audit',
          partitions: [0, 1].map((partition) => ({
            partition,
            assignment: [4, 3],
            leader: 4,
            leaderEpoch: 4,
            isr: [4],
            elr: [],
            lastKnownElr: [],
            logs: { 4: log(700, '/b'), 3: log(650, '/b') },
          })),
        },
        {
          name: 'ledger',
          partitions: Array.from({ length: 15 }, (_, partition) => ({
            partition,
            assignment: [4, 2, 1],
            leader: -1,
            leaderEpoch: 5,
            isr: [],
            elr: [],
            lastKnownElr: [4],
            logs: { 4: log(0, '/a'), 1: log(8_000 + partition, '/a'), 2: log(8_000 + partition, '/a') },
          })),
        },
        {
          name: 'sales',
          partitions: [
            {
              partition: 0,
              assignment: [1, 2, 4],
              leader: 1,
              leaderEpoch: 4,
              isr: [1, 2, 4],
              elr: [],
              lastKnownElr: [],
              logs: { 1: log(400, '/b'), 2: log(400, '/b'), 4: log(400, '/b') },
            },
          ],
        },
      ],
    },
    'state Z',
  )
}
