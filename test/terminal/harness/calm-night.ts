import { checkScenario } from '../../../src/simulator/scenario.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'

/**
 * A night without alarms: broker 3 is away, and has no role in anything. Group A holds `orders` partitions that have to be re-ordered, one internal partition; one of
 * `payments` is contested.
 */
export function calmNight({ orders = 12 }: { readonly orders?: number } = {}): Scenario {
  const log = (end: number, epochs: readonly (readonly [number, number])[] = [[0, 0]]) => ({
    logDir: '/d',
    logStartOffset: 0,
    logEndOffset: end,
    epochs,
  })
  const offline = (partition: number, logs: object) => ({
    partition,
    assignment: [3, 1, 2],
    leader: -1,
    leaderEpoch: 4,
    isr: [],
    elr: [],
    lastKnownElr: [],
    logs,
  })
  return checkScenario(
    {
      clusterId: 'SIMULATED-calm-night',
      personality: 'stock',
      brokers: [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/d'] })),
      topics: [
        { name: '__consumer_offsets', partitions: [offline(0, { 1: log(700), 2: log(720) })] },
        {
          name: 'orders',
          partitions: Array.from({ length: orders }, (_, partition) => offline(partition, { 1: log(90), 2: log(100) })),
        },
        {
          name: 'payments',
          partitions: [
            offline(0, {
              1: log(900),
              2: log(500, [
                [0, 0],
                [3, 100],
              ]),
            }),
          ],
        },
      ],
    },
    'calm night',
  )
}
