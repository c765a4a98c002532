import { expect, it } from 'vitest'
import { checkScenario } from '../../../src/simulator/scenario.js'
import { DrawnConsole, dataOf } from './shown-scenario.js'

// A console must not look healthy because the sick topics are hidden from its user.

const log = { logDir: '/data/a', logStartOffset: 0, logEndOffset: 10, epochs: [[0, 0]] }
const scenario = (refuse: readonly object[]) =>
  checkScenario(
    {
      clusterId: 'SIMULATED-hidden',
      brokers: [1, 2].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/data/a'] })),
      topics: ['open', 'secret'].map((name) => ({
        name,
        partitions: [
          {
            partition: 0,
            assignment: [1, 2],
            leader: name === 'open' ? 2 : -1,
            isr: name === 'open' ? [2] : [],
            logs: { 2: log },
          },
        ],
      })),
      refuse,
    },
    'test',
  )

it.each([
  [[], false],
  [[{ resource: 'TOPIC', operation: 'DESCRIBE', name: 'secret' }], true],
] as const)('refused %j: said on every screen: %s', async (refuse, said) => {
  const drawn = new DrawnConsole(await dataOf(scenario(refuse)), { columns: 120, rows: 30 })
  const { header } = drawn.frame()
  expect(header.some((line) => line.includes('1 topic is hidden: secret'))).toBe(said)
})
