import { describe, expect, test } from 'vitest'
import { documentOf, ownFolder, recovery, simulators } from './harness.js'

// What `log-dirs` was asked for is every broker's directories: where one that lives did not tell its own, that is said and not all was done.

ownFolder()
const simulated = simulators()

const scenario = (more: object = {}) => ({
  clusterId: 'SIMULATED-dirs',
  brokers: [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/data/a', '/data/b'] })),
  topics: [{ name: 'fine', partitionCount: 3, replicationFactor: 2, offlineShare: 0, seed: 1 }],
  ...more,
})

describe('a broker that lives and tells no directories', () => {
  test.each<[string, object, RegExp]>([
    [
      'is silent',
      { faults: [{ broker: 2, api: 'DescribeLogDirs', delayMs: 60_000 }] },
      /^warning: broker 2: .*DescribeLogDirs/m,
    ],
    [
      'closes the connection',
      { faults: [{ broker: 2, api: 'DescribeLogDirs', closeConnection: true }] },
      /^warning: broker 2: /m,
    ],
    [
      'answers an error',
      { faults: [{ broker: 2, api: 'DescribeLogDirs', error: -1 }] },
      /^warning: broker 2: .*UNKNOWN_SERVER_ERROR/m,
    ],
    [
      'hides them',
      { refuse: [{ resource: 'CLUSTER', operation: 'DESCRIBE' }] },
      /^warning: broker 2: log directories are hidden \(needs Describe on the cluster\)$/m,
    ],
  ])('%s: exit 1, a warning and the document name it', async (_, more, warning) => {
    const { server } = await simulated(scenario(more))
    const ran = await recovery('log-dirs', ...server, '--request-timeout-ms', '700', '--json')
    expect(ran.exit).toBe(1)
    expect(ran.stderr).toMatch(warning)
    expect(documentOf(ran).problems).toContainEqual(expect.objectContaining({ broker: 2 }))
    const text = await recovery('log-dirs', ...server, '--request-timeout-ms', '700')
    expect(text.exit).toBe(1)
    expect(text.stdout).toMatch(/^ *2 +\? +(UNKNOWN|HIDDEN)/m)
  })
})

test('all that live have told: exit 0, also with a broker that is down, which is shown as unknown', async () => {
  const { server } = await simulated(scenario())
  const ran = await recovery('log-dirs', ...server)
  expect(ran.exit).toBe(0)
  expect(ran.stdout).toMatch(/^ *3 +\? +UNKNOWN/m)
})
