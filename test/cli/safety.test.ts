import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { nodeSeenPlacementsStorage } from '../../src/repair/node-seen-placements-storage.js'
import { documentOf, ownFolder, recovery, simulators, unclean, WRITES } from './harness.js'
import { emptiedLeader } from './night.js'

const folder = ownFolder()
const simulated = simulators()
const START = /start first|may bring back/i

async function fileWith(name: string, content: object): Promise<string> {
  const path = folder.path(name)
  await writeFile(path, JSON.stringify(content))
  return path
}
const led = (topic: string, partition: number, designatedLeader: number) => ({ topic, partition, designatedLeader })

describe('while an alarm stands, it is shown whatever was chosen, and no start is advised', () => {
  test.each<[string, string[]]>([
    ['status', ['status']],
    ['replicas of another partition', ['replicas', 'other-0']],
    ['log-dirs', ['log-dirs']],
    ['check', ['check']],
    ['plan of another partition', ['plan', 'other-0']],
    ['plan of all', ['plan', '--all-offline-partitions']],
    ['elect --dry-run', ['elect', '--leader', 'other-0=4', '--dry-run']],
    ['elect, not confirmed', ['elect', '--leader', 'other-0=4']],
  ])('%s', async (_, args) => {
    const { server } = await simulated(emptiedLeader())
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await recovery(...args, ...json, ...server)
      expect(stdout + stderr).toMatch(/ALARM: Broker 1 .*EMPTY log of 3 partitions|"emptyLogMayLead"/)
      expect(stdout + stderr).not.toMatch(START)
    }
  })

  test.each<[string, string[]]>([
    ['shown', ['--show-replica-info']],
    ['dry run', ['--automated-recovery', '--dry-run']],
    ['automated', ['--automated-recovery']],
  ])('kafka-unclean-recovery of another partition, %s', async (name, args) => {
    const { server } = await simulated(emptiedLeader())
    const file = await fileWith(`${name}.json`, { partitions: [{ topic: 'other', partitions: [0] }] })
    const { stdout, stderr } = await unclean('--path-to-json-file', file, ...args, ...server)
    expect(stdout + stderr).toMatch(/^ALARM: Broker 1 .*EMPTY log of 3 partitions/m)
    expect(stdout + stderr).not.toMatch(START)
  })

  test('a leader that the alarm says to stop is planned, and said', async () => {
    const { server } = await simulated(emptiedLeader())
    const { partitions } = documentOf(await recovery('plan', 'other-2', '--json', ...server))
    expect(partitions).toMatchObject([
      { designatedLeader: 1, warnings: expect.arrayContaining([expect.objectContaining({ code: 'alarmedLeader' })]) },
    ])
    const { stdout } = await recovery('plan', 'other-2', ...server)
    expect(stdout).toMatch(/^WARNING: 1 partition would get broker 1 as leader, which the ALARM says to stop$/m)
  })
})

test('once the alarmed broker was stopped, its empty log is remembered: it is not to be started, others are', async () => {
  const { server, simulator } = await simulated(emptiedLeader({ clusterId: 'SIMULATED-remembered' }))
  await recovery('plan', 'other-0', ...server)
  await simulator.apply({ brokerDown: 1 })
  for (const args of [['status'], ['plan', 'other-0']]) {
    const { stdout } = await recovery(...args, ...server)
    expect(stdout).not.toContain('ALARM')
    expect(stdout).toMatch(/^Do NOT start broker 1: .* EMPTY log of 3 partitions .*Elect these 3 first/m)
    expect(stdout).not.toMatch(/^ {2}broker 1 /m)
    expect(stdout).toMatch(/^ {2}broker 2 \(down\): may bring back 3 partitions/m)
  }
  const { partitions } = documentOf(await recovery('plan', 'orders-0', '--json', ...server))
  expect(JSON.stringify(partitions)).not.toContain('probably hold')

  // It was elected: what was seen is over, and is not said of the next night.
  expect((await unclean('--all-offline-partitions', '--automated-recovery', ...server)).stdout).toMatch(/5 elected/)
  expect((await recovery('status', ...server)).stdout).not.toContain('Do NOT start')
})

test('an emptied directory that only `status` saw: after its broker was stopped and others were elected, its repair still knows', async () => {
  const { server, simulator } = await simulated(emptiedLeader({ clusterId: 'SIMULATED-only-status' }))
  await recovery('status', ...server)
  await simulator.apply({ brokerDown: 1 })
  const chosen = [0, 1, 2].flatMap((partition) => ['--leader', `orders-${partition}=3`])
  expect((await recovery('elect', ...chosen, '--yes', ...server)).stdout).toMatch(/3 elected/)
  const { repair } = documentOf(await recovery('repair', '--broker', '1', '--log-dir', '/d', '--json', ...server))
  expect(repair).toMatchObject({ way: 'replace', wayReason: 'emptied' })
  expect(Date.parse(repair.seenEmptiedAt)).not.toBeNaN()

  // Once it is back and in sync that is over.
  await simulator.apply({ brokerUp: 1 })
  await expect
    .poll(async () => {
      const { repair: now } = documentOf(
        await recovery('repair', '--broker', '1', '--log-dir', '/d', '--json', ...server),
      )
      return now.seenEmptiedAt
    })
    .toBeNull()
})

test('an emptied directory that was noted before the partitions were made: what was seen empty shuts the gate all the same', async () => {
  const clusterId = 'SIMULATED-noted-before'
  const { server, simulator } = await simulated(emptiedLeader({ clusterId }))
  const noted = { broker: 1, path: '/d', seenAt: new Date(0), lost: null }
  const other = { topic: 'other', topicId: null, partition: 2, sizeBytes: 1, logEndOffset: null }
  const placements = nodeSeenPlacementsStorage(folder.path('home/seen'))
  await placements.save(clusterId, { brokers: [], directories: [{ ...noted, replicas: [other] }] })
  const { seenEmpty, readAt } = documentOf(await recovery('status', '--json', ...server))
  expect(seenEmpty).toEqual([])
  await simulator.apply({ brokerDown: 1 })
  // The second time it is what the repair has noted itself that tells.
  for (const _ of [1, 2]) {
    const { repair } = documentOf(await recovery('repair', '--broker', '1', '--log-dir', '/d', '--json', ...server))
    expect(repair).toMatchObject({ way: 'replace', wayReason: 'emptied', seenEmptiedAt: readAt })
    expect(repair.held.source).toBe('seen')
    expect(repair.gate.open).toBe(false)
    expect(repair.gate.holds.map(({ topic }: { topic: string }) => topic)).toEqual(['orders', 'orders', 'orders'])
  }
})

describe('a leader chosen by hand', () => {
  const hand = { partitions: [led('orders', 0, 1), led('other', 1, 3)] }

  test('is said to override what speaks against it, not to have been accepted', async () => {
    const { server } = await simulated(emptiedLeader())
    const file = await fileWith('said.json', hand)
    const { stdout } = await recovery('elect', '--plan', file, '--dry-run', ...server)
    expect(stdout).toMatch(/orders-0: warning accepted: chosen by hand, overrides empty: /)
    expect(stdout).not.toContain('was accepted')
  })

  test.each([
    ['neither', [], 4],
    ['one of them', ['--accept', 'empty'], 4],
    ['both', ['--accept', 'empty,contested'], 0],
  ] as const)('against empty and contested, with --yes and %s accepted: exit %4$i', async (name, accept, exit) => {
    const { server, requests } = await simulated(emptiedLeader())
    const file = await fileWith(`hand-${name}.json`, hand)
    const ran = await recovery('elect', '--plan', file, '--yes', ...accept, ...server)
    expect(ran.exit).toBe(exit)
    const wrote = requests.filter((api) => WRITES.includes(api))
    if (exit === 0) expect(wrote).not.toEqual([])
    else {
      expect(wrote).toEqual([])
      expect(ran.stderr).toMatch(/chosen by hand override .*contested.*nothing was sent$/m)
    }
  })

  test('needs nothing where nothing speaks against it; --leader names it without a file', async () => {
    const { server, simulator } = await simulated('three-lags')
    const ran = await recovery('elect', '--leader', 'audit-0=2', '--yes', '--json', ...server)
    expect(documentOf(ran)).toMatchObject({ outcome: [{ result: 'elected', leader: 2 }] })
    expect(simulator.inspect().partition('audit', 0)).toMatchObject({ leader: 2, replicas: [4, 3, 2, 1] })
  })

  test.each([
    [['--leader', 'audit-0'], /no TOPIC-PARTITION=BROKER/],
    [['--leader', 'audit-0=2', '--leader', 'audit-0=3'], /named twice/],
    [['--leader', 'audit-0=2', '--plan', 'x'], /exactly one of --plan FILE and --leader/],
  ])('%j is wrong usage', async (args, message) => {
    const ran = await recovery('elect', ...args, '--bootstrap-server', '127.0.0.1:1')
    expect(ran).toMatchObject({ exit: 2, stdout: '' })
    expect(ran.stderr).toMatch(message)
  })
})

describe('nothing is elected unseen', () => {
  const shown = /^to elect: 1 \(reorder 1\), lost at least 80 \+ \?/m

  test('--automated-recovery, and elect --yes, say on stderr what and what it loses before they begin', async () => {
    const first = await simulated('longer-log-older-epoch')
    const automated = await unclean('--all-offline-partitions', '--automated-recovery', '--json', ...first.server)
    expect(automated.stderr).toMatch(shown)
    expect(automated.stderr.search(shown)).toBeLessThan(automated.stderr.indexOf('re-order'))

    const second = await simulated('longer-log-older-epoch')
    const file = folder.path('unseen.json')
    await recovery('plan', 'orders-0', '--output', file, ...second.server)
    const elected = await recovery('elect', '--plan', file, '--yes', '--json', ...second.server)
    expect(elected.stderr).toMatch(shown)
  })

  test('a dry run names every request word for word, in text and as JSON, and sends none', async () => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    for (const args of [
      ['plan', 'orders-0', '--dry-run'],
      ['elect', '--leader', 'orders-0=2', '--dry-run'],
    ]) {
      const { stdout } = await recovery(...args, ...server)
      expect(stdout).toMatch(/AlterPartitionReassignments v1 to broker 1 .*\(re-order\).*\n +orders: 0 to \[2, /)
      expect(stdout).toMatch(/ElectLeaders v2 to broker 1 .*UNCLEAN \(1\).*\n +orders: partitions 0\n/)
      const { requests: told } = documentOf(await recovery(...args, '--json', ...server))
      expect(told.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['re-order', 'elect', 'put back'])
    }
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('a saved plan says how old it is and what happened since, also in text', async () => {
    const { server, simulator } = await simulated('three-lags')
    const file = folder.path('old.json')
    await recovery('plan', 'audit-0', '--output', file, ...server)
    await simulator.apply({ brokerDown: 1 })
    const { stdout } = await recovery('elect', '--plan', file, '--dry-run', ...server)
    expect(stdout).toMatch(/^This plan was made \d+ s ago .* Since then: broker 1 went down\.$/m)
    expect(stdout).toMatch(/^NOT AS PLANNED ANY MORE, and left alone by elect: 1 of 1 partition$/m)
    expect(stdout).toMatch(/^next: the cluster has changed since: make a new plan:$/m)
  })
})

describe('what is left to the operator has a way on', () => {
  test('nobody alive: whom to start, which directory to repair', async () => {
    const { server } = await simulated('nobody-answers')
    const { skipped } = documentOf(await recovery('plan', '--all-offline-partitions', '--json', ...server))
    for (const { code, reason } of skipped) {
      if (code === 'noCandidate') expect(reason).toMatch(/Way on: (start|get|repair|read again)/)
    }
    expect(skipped.map(({ code }: { code: string }) => code)).toContain('noCandidate')
  })

  test('status says what to start, and what to do next', async () => {
    const { server } = await simulated('three-lags')
    const { stdout } = await recovery('status', ...server)
    expect(stdout).toMatch(/^next: .*what can be elected.*:\n {2}node .*kafka-recovery\.js plan .*--bootstrap-server /m)
  })
})
