import { describe, expect, it } from 'vitest'
import { documentOf, ownFolder, recovery, simulators, start as startProgram, unclean, WRITES } from './harness.js'

// What a user may not do, as a simulated authorizer has it: `check` names it, and every command says what it could not read or do.

ownFolder()
const start = simulators()

type Refusal = { resource: 'CLUSTER' | 'TOPIC'; operation: string; name?: string }

const log = (logEndOffset: number) => ({ logDir: '/data/a', logStartOffset: 0, logEndOffset, epochs: [[0, 0]] })

/** Two topics with a partition each that is offline: 1 is down and led last, 2 has more than 3. */
const scenario = (...refuse: Refusal[]) => ({
  clusterId: 'SIMULATED-permissions',
  brokers: [
    { id: 1, state: 'down', logDirs: ['/data/a'] },
    { id: 2, logDirs: ['/data/a'] },
    { id: 3, logDirs: ['/data/a'] },
  ],
  topics: ['open', 'secret'].map((name) => ({
    name,
    partitions: [
      {
        partition: 0,
        assignment: [1, 3, 2],
        leader: -1,
        leaderEpoch: 1,
        elr: [1],
        lastKnownElr: [1],
        logs: { 1: log(30), 2: log(20), 3: log(10) },
      },
    ],
  })),
  refuse,
})

interface Checked {
  readonly name: string
  readonly granted: boolean | null
  readonly fix: string
}

async function checked(...refuse: Refusal[]): Promise<Record<string, boolean | null>> {
  const { server } = await start(scenario(...refuse))
  const ran = await recovery('check', ...server, '--json')
  const permissions: Checked[] = documentOf(ran).permissions
  expect(ran.exit, ran.stderr).toBe(permissions.some(({ granted }) => granted === false) ? 1 : 0)
  for (const { fix, name } of permissions) expect(fix).toContain(`--operation ${name.split(' ')[0]}`)
  return Object.fromEntries(permissions.map(({ name, granted }) => [name, granted]))
}

const ALL_GRANTED = {
  'Describe on Topic': true,
  'Read on Topic': true,
  'DescribeConfigs on Topic': true,
  'Describe on Cluster': true,
  'DescribeConfigs on Cluster': true,
  'Alter on Cluster': true,
}

describe('check', () => {
  it('without an authorizer everything is granted', async () => {
    expect(await checked()).toEqual(ALL_GRANTED)
  })

  it.each([
    ['Alter on Cluster', { resource: 'CLUSTER', operation: 'ALTER' }],
    ['DescribeConfigs on Cluster', { resource: 'CLUSTER', operation: 'DESCRIBE_CONFIGS' }],
    ['Read on Topic', { resource: 'TOPIC', operation: 'READ' }],
    ['Read on Topic', { resource: 'TOPIC', operation: 'READ', name: 'secret' }],
    ['DescribeConfigs on Topic', { resource: 'TOPIC', operation: 'DESCRIBE_CONFIGS', name: 'secret' }],
  ] as const)('%s is missing, and nothing else: %o', async (name, refusal) => {
    expect(await checked(refusal)).toEqual({ ...ALL_GRANTED, [name]: false })
  })

  it('without Describe on the cluster the brokers tell nothing of it: what needs it is not called granted', async () => {
    const granted = await checked({ resource: 'CLUSTER', operation: 'DESCRIBE' })
    expect(granted).toMatchObject({ 'Describe on Cluster': false, 'Read on Topic': true })
    expect(granted['Alter on Cluster']).not.toBe(true)
    // That one does not hang on it, and is tried.
    expect(granted['DescribeConfigs on Cluster']).toBe(true)
  })

  it('topics that are hidden are no reason to call everything granted', async () => {
    const granted = await checked({ resource: 'TOPIC', operation: 'DESCRIBE' })
    expect(granted).toMatchObject({ 'Describe on Topic': false, 'Describe on Cluster': true })
    const one = await checked({ resource: 'TOPIC', operation: 'DESCRIBE', name: 'secret' })
    expect(one).toMatchObject({ 'Describe on Topic': false, 'Read on Topic': true })
  })
})

describe('what is refused', () => {
  it.each(['ALTER', 'DESCRIBE'])(
    'an election, without %s on the cluster: refused as a whole before anything is sent, by the name of the right',
    async (operation) => {
      const { server, simulator, requests } = await start(scenario({ resource: 'CLUSTER', operation }))
      const ran = await unclean(...server, '--all-offline-partitions', '--automated-recovery', '--json')
      expect(ran.exit).toBe(4)
      expect(documentOf(ran).error.message).toMatch(/^not allowed: .*lacks Alter on the cluster .*kafka-recovery check/)
      expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
      for (const { leader, replicas } of simulator.inspect().partitions()) {
        expect([leader, replicas]).toEqual([-1, [1, 3, 2]])
      }
      const plan = documentOf(await recovery('plan', '--all-offline-partitions', ...server, '--json'))
      expect(plan.partitions).toHaveLength(2)
    },
  )

  it('restore, without Alter on the cluster: refused before anything is sent; what was left is not forgotten', async () => {
    const allowed = await start(scenario())
    allowed.simulator.addFault({ api: 'ElectLeaders', closeConnection: true })
    const run = startProgram('kafka-unclean-recovery', [
      ...['--all-offline-partitions', '--automated-recovery'],
      ...allowed.server,
    ])
    await expect.poll(() => allowed.requests.includes('ElectLeaders')).toBe(true)
    run.kill('SIGKILL')
    await run
    // The same cluster as it was left, for a user who lacks the right.
    const left = scenario({ resource: 'CLUSTER', operation: 'ALTER' })
    for (const { name, partitions } of left.topics) {
      for (const one of partitions) {
        one.assignment = [...(allowed.simulator.inspect().partition(name, one.partition)?.replicas ?? [])]
      }
    }
    const { server, requests } = await start(left)
    const refused = await recovery('restore', '--yes', ...server)
    expect([refused.exit, refused.stderr]).toEqual([
      4,
      expect.stringMatching(/^kafka-recovery: not allowed: nothing is put back, .*lacks Alter .*kafka-recovery check/m),
    ])
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
    expect((await recovery('status', ...server)).stderr).toContain('2 assignments may be re-ordered')
  })

  it('reading the logs of one topic: that one is left to the operator, the other is planned; nothing is written', async () => {
    const { server, requests } = await start(scenario({ resource: 'TOPIC', operation: 'READ', name: 'secret' }))
    const plan = documentOf(await recovery('plan', '--all-offline-partitions', ...server, '--json'))
    expect(plan.partitions.map(({ topic }: { topic: string }) => topic)).toEqual(['open'])
    expect(plan.skipped).toEqual([
      expect.objectContaining({ topic: 'secret', code: expect.stringMatching(/unread|noCandidate/) }),
    ])
    expect(plan.skipped[0].reason).toMatch(/READ/i)
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  it('seeing a topic: it is not listed; asked for by name it is unknown, or not shown', async () => {
    const { server } = await start(scenario({ resource: 'TOPIC', operation: 'DESCRIBE', name: 'secret' }))
    const status = documentOf(await recovery('status', ...server, '--json'))
    expect(status.offlinePartitions.map(({ topic }: { topic: string }) => topic)).toEqual(['open'])
    const texts = status.problems.map(({ text }: { text: string }) => text)
    expect(texts).toContainEqual(expect.stringMatching(/^1 topic is hidden: secret; .*needs Describe on the topics/))
    const named = await recovery('plan', 'secret-0', ...server, '--json')
    expect(named.exit).toBe(1)
    expect(documentOf(named).skipped[0].reason).toMatch(/DESCRIBE/)
  })

  it('log directories and the quorum: the rest is still shown, and what is missing is named', async () => {
    const { server } = await start(scenario({ resource: 'CLUSTER', operation: 'DESCRIBE' }))
    const ran = await recovery('status', ...server, '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    expect(documentOf(ran).offlinePartitions).toHaveLength(2)
    const texts = documentOf(ran).problems.map(({ text }: { text: string }) => text)
    for (const broker of [2, 3]) {
      expect(texts).toContain(`broker ${broker}: log directories are hidden (needs Describe on the cluster)`)
    }
    expect(texts).toContainEqual(expect.stringMatching(/DescribeQuorum needs DESCRIBE/))
  })
})
