import { expect, test, vi } from 'vitest'
import { checkScenario } from '../../src/simulator/scenario.js'
import { ownFolder, recovery, simulators } from '../cli/harness.js'
import { simulatedConsoles } from '../terminal/harness/simulated-console.js'
import { hostileCluster } from './hostile-cluster.js'
import { ACTED_ON, expectNothingActedOn } from './hostile-names.js'

// A share of terminal.long.test.ts: names that would take over a terminal are shown escaped.

vi.mock('../../src/simulator/server/request-header.js', async (original) =>
  (await import('./hostile-names.js')).onHostileWire(await original()),
)

ownFolder()
const simulated = simulators()

test('replicas shows hostile names escaped', async () => {
  const { server } = await simulated(hostileCluster())
  const { stdout, stderr } = await recovery('replicas', '--all-offline-partitions', ...server)
  expect(stdout + stderr).not.toMatch(ACTED_ON)
  expect(stdout).toContain('\\x1b]0;owned')
})

test('the console shows them escaped', async () => {
  const consoles = await simulatedConsoles(checkScenario(hostileCluster(), 'hostile'))
  try {
    const screen = await consoles.open({ columns: 120, rows: 40 })
    screen.send('\r')
    await screen.waitFor('\\x1b]0;owned')
    expectNothingActedOn(screen.raw)
  } finally {
    await consoles.stop()
  }
})
