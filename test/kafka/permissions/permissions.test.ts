import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectCluster } from '../../../src/cluster/connect.js'
import { sessionOptions } from '../../../src/cluster/session-options.js'
import { resolveConnection } from '../../../src/config/resolve-connection.js'
import { checkScenario } from '../../../src/simulator/scenario.js'
import { startSimulator } from '../../../src/simulator/simulator.js'
import { documentOf, ownFolder, recovery, unclean } from '../../cli/harness.js'
import { leaveTwoBehind } from '../harness/diverge.js'
import { authorizerAnswers } from './authorizer-answers.js'
import { type GuardedCluster, type Rights, startGuardedCluster, type User } from './guarded-cluster.js'

// Proves, with Kafka's own authorizer: a simulated one answers as it does; `check` names each right that is missing and the line that
// adds it, which Kafka's own kafka-acls takes; what can be read without it is read, and an election that needs it is not begun.

const TOPICS = ['open', 'secret']
/** All that the program needs (README, "Permissions"). */
const ALL: Rights = {
  cluster: ['ALTER', 'DESCRIBE', 'DESCRIBE_CONFIGS'],
  topics: { '*': ['DESCRIBE', 'READ', 'DESCRIBE_CONFIGS'] },
}

interface Lacking extends User {
  readonly missing: readonly string[]
}

const LACKING: readonly Lacking[] = [
  { name: 'noAlter', allowed: { ...ALL, cluster: ['DESCRIBE', 'DESCRIBE_CONFIGS'] }, missing: ['Alter on Cluster'] },
  {
    name: 'noClusterDescribe',
    allowed: { ...ALL, cluster: ['DESCRIBE_CONFIGS'] },
    missing: ['Describe on Cluster', 'Alter on Cluster'],
  },
  {
    name: 'noClusterConfigs',
    allowed: { ...ALL, cluster: ['ALTER', 'DESCRIBE'] },
    missing: ['DescribeConfigs on Cluster'],
  },
  {
    name: 'noRead',
    allowed: { ...ALL, topics: { '*': ['DESCRIBE', 'DESCRIBE_CONFIGS'] } },
    missing: ['Read on Topic'],
  },
  {
    name: 'noTopicConfigs',
    allowed: { ...ALL, topics: { '*': ['DESCRIBE', 'READ'] } },
    missing: ['DescribeConfigs on Topic'],
  },
  {
    name: 'noTopicDescribe',
    allowed: { ...ALL, topics: { '*': ['DESCRIBE_CONFIGS'] } },
    missing: ['Describe on Topic', 'Read on Topic'],
  },
  {
    name: 'oneTopic',
    allowed: { ...ALL, topics: { open: ['DESCRIBE', 'READ', 'DESCRIBE_CONFIGS'] } },
    missing: ['Describe on Topic'],
  },
  {
    name: 'nothing',
    allowed: {},
    missing: [
      'Describe on Topic',
      'Read on Topic',
      'Describe on Cluster',
      'DescribeConfigs on Cluster',
      'Alter on Cluster',
    ],
  },
]

type Refusal = { readonly resource: 'CLUSTER' | 'TOPIC'; readonly operation: string; readonly name?: string }

/** A user who may do everything but these: what a scenario's `refuse` means. */
const DENIED: readonly { readonly name: string; readonly refuse: readonly Refusal[] }[] = [
  { name: 'deniedNothing', refuse: [] },
  ...['DESCRIBE', 'ALTER', 'DESCRIBE_CONFIGS'].map((operation) => ({
    name: `deniedCluster${operation.replace('_', '')}`,
    refuse: [{ resource: 'CLUSTER', operation }] as const,
  })),
  ...['DESCRIBE', 'READ', 'DESCRIBE_CONFIGS'].map((operation) => ({
    name: `deniedTopic${operation.replace('_', '')}`,
    refuse: [{ resource: 'TOPIC', operation, name: 'secret' }] as const,
  })),
  { name: 'deniedTopics', refuse: [{ resource: 'TOPIC', operation: 'DESCRIBE' }] },
]

const deniedUsers = DENIED.map(
  ({ name, refuse }): User => ({
    name,
    allowed: { cluster: ['ALL'], topics: { '*': ['ALL'] } },
    denied: {
      cluster: refuse.filter(({ resource }) => resource === 'CLUSTER').map(({ operation }) => operation),
      topics: Object.fromEntries(
        refuse
          .filter(({ resource }) => resource === 'TOPIC')
          .map(({ operation, name: topic = '*' }) => [topic, [operation]]),
      ),
    },
  }),
)

const folder = ownFolder()
let cluster: GuardedCluster
beforeAll(async () => {
  cluster = await startGuardedCluster([...LACKING, ...deniedUsers, { name: 'all', allowed: ALL }])
  await leaveTwoBehind(
    cluster.kafka,
    TOPICS.map((name) => ({ name, assignment: [[3, 1, 2]] })),
  )
})
afterAll(async () => {
  await cluster?.kafka.dispose()
})

const as = (user: string) => [
  '--bootstrap-server',
  cluster.bootstrapServers,
  '--command-config',
  cluster.clientFile(user),
]
const state = () => Promise.all(TOPICS.map((topic) => cluster.kafka.describe(topic)))

function expectNoJournal(): void {
  const journals = folder.path('home')
  const files = existsSync(journals) ? readdirSync(journals, { recursive: true }).map(String) : []
  expect(files.filter((file) => /journal/.test(file) && /\.\w+$/.test(file))).toEqual([])
}

describe('what an authorizer answers is what a simulated one answers', () => {
  it.each(DENIED)('$name', async ({ name, refuse }) => {
    const log = (logEndOffset: number) => ({ logDir: '/data/a', logStartOffset: 0, logEndOffset, epochs: [[0, 0]] })
    const simulator = await startSimulator(
      checkScenario(
        {
          clusterId: 'SIMULATED-authorizer',
          brokers: [1, 2, 3].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/data/a'] })),
          topics: TOPICS.map((topic) => ({
            name: topic,
            partitions: [
              {
                partition: 0,
                assignment: [3, 1, 2],
                leader: -1,
                leaderEpoch: 2,
                elr: [1],
                lastKnownElr: [1],
                logs: { 1: log(18), 2: log(15), 3: log(10) },
              },
            ],
          })),
          refuse,
        },
        'test',
      ),
    )
    try {
      const password = 'secret-of-all'
      const real = await authorizerAnswers(
        { host: '127.0.0.1', port: cluster.port(2) },
        { sasl: { mechanism: 'PLAIN', username: name, password } },
        2,
        TOPICS,
      )
      const port = simulator.ports.get(2) ?? 0
      const simulated = await authorizerAnswers({ host: '127.0.0.1', port }, { sasl: null }, 2, TOPICS)
      expect(simulated).toEqual(real)
    } finally {
      await simulator.stop()
    }
  })
})

interface Problem {
  readonly code: string
  readonly text: string
}

const permissionTexts = (problems: readonly Problem[]) =>
  problems.filter(({ code }) => code === 'permission' || code === 'hiddenTopics').map(({ text }) => text)

interface Checked {
  readonly name: string
  readonly granted: boolean | null
  readonly fix: string
}

async function missingOf(user: string): Promise<Checked[]> {
  const ran = await recovery('check', ...as(user), '--json')
  const permissions: Checked[] = documentOf(ran).permissions
  const missing = permissions.filter(({ granted }) => granted === false)
  expect(ran.exit, ran.stderr).toBe(missing.length === 0 ? 0 : 1)
  return missing
}

describe('without a right', () => {
  it('to change the cluster: all is read and planned, and no election is begun', async () => {
    const before = await state()
    const plan = documentOf(await recovery('plan', '--all-offline-partitions', ...as('noAlter'), '--json'))
    expect(
      plan.partitions.map(({ topic, designatedLeader }: Record<string, unknown>) => [topic, designatedLeader]),
    ).toEqual(TOPICS.map((topic) => [topic, 2]))
    for (const user of ['noAlter', 'noClusterDescribe']) {
      const ran = await unclean('--all-offline-partitions', '--automated-recovery', ...as(user), '--json')
      expect(ran.exit, ran.stderr).toBe(4)
      expect(documentOf(ran).error.message).toMatch(/lacks Alter on the cluster .*`kafka-recovery check`/)
    }
    // Nobody says that nothing is offline where topics are hidden.
    const blind = await unclean('--all-offline-partitions', '--automated-recovery', ...as('nothing'), '--json')
    expect(blind.stderr).toMatch(/topics may be hidden/)
    expect(await state()).toEqual(before)
    expectNoJournal()
  })

  it('that was withdrawn after the plan was made: the broker refuses, in one line, and nothing has changed', async () => {
    const before = await state()
    const { settings } = await resolveConnection({
      bootstrapServer: cluster.bootstrapServers,
      commandConfigFile: cluster.clientFile('noClusterDescribe'),
      brokerEndpoints: [],
      readOnly: false,
    })
    const connected = await connectCluster(sessionOptions(settings))
    const partitions = [{ topic: 'open', partition: 0 }]
    try {
      const refused = [
        connected.reorder([{ topic: 'open', partition: 0, replicas: [2, 3, 1] }], 10_000),
        connected.elect({ kind: 'unclean', partitions }, 10_000),
        connected.reassignments(partitions),
      ]
      const errors = (await Promise.allSettled(refused)).map((one) => (one.status === 'rejected' ? one.reason : null))
      for (const error of errors) {
        expect(error).toMatchObject({ reason: 'errorCode', retriable: false })
        expect(error.message).toMatch(
          /CLUSTER_AUTHORIZATION_FAILED: `kafka-recovery check` names the right that is missing$/,
        )
      }
    } finally {
      await connected.close()
    }
    expect(await state()).toEqual(before)
  })

  it('to describe the cluster: partitions are shown and planned, log directories are unknown', async () => {
    const ran = await recovery('status', ...as('noClusterDescribe'), '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    const { offlinePartitions, logDirs, problems } = documentOf(ran)
    expect(offlinePartitions).toHaveLength(2)
    expect(logDirs).toEqual([])
    const texts = permissionTexts(problems)
    for (const broker of [2, 3]) {
      expect(texts).toContain(`broker ${broker}: log directories are hidden (needs Describe on the cluster)`)
    }
    const planned = await recovery('plan', '--all-offline-partitions', ...as('noClusterDescribe'), '--json')
    expect(planned.exit, planned.stderr).toBe(0)
    expect(documentOf(planned).partitions).toHaveLength(2)
  })

  it('to read topics: they are left to the operator, by the name of what is missing', async () => {
    const planned = await recovery('plan', '--all-offline-partitions', ...as('noRead'), '--json')
    expect(planned.exit).toBe(1)
    const { partitions, skipped } = documentOf(planned)
    expect(partitions).toEqual([])
    for (const { reason } of skipped) expect(reason).toMatch(/READ/i)
  })

  it('to describe the configuration of topics: said, and the rest is there', async () => {
    const { offlinePartitions, problems } = documentOf(await recovery('status', ...as('noTopicConfigs'), '--json'))
    expect(offlinePartitions).toHaveLength(2)
    expect(permissionTexts(problems)).toEqual([
      expect.stringMatching(/configuration of 2 topics could not be read.*needs DescribeConfigs on the topics/),
    ])
  })

  it('to see topics: those that are hidden are said to be, not taken for healthy', async () => {
    for (const [user, seen, hidden] of [
      ['noTopicDescribe', 0, /^at least 2 topics are hidden: open, secret; .*needs Describe on the topics/],
      ['oneTopic', 1, /^at least 1 topic is hidden: secret; .*needs Describe on the topics/],
    ] as const) {
      const { offlinePartitions, problems } = documentOf(await recovery('status', ...as(user), '--json'))
      expect(offlinePartitions).toHaveLength(seen)
      expect(permissionTexts(problems)).toEqual([expect.stringMatching(hidden)])
    }
    const named = await recovery('plan', 'secret-0', ...as('oneTopic'), '--json')
    expect(named.exit).toBe(1)
    expect(documentOf(named).skipped[0].reason).toMatch(/DESCRIBE/)
  })
})

describe('check', () => {
  it('nothing is missing: it says so', async () => {
    expect(await missingOf('all')).toEqual([])
  })

  it.each(LACKING)('$name: names what is missing, and the lines it prints add it', async ({ name, missing }) => {
    let left = await missingOf(name)
    expect(left.map((one) => one.name)).toEqual(missing)
    // What was hidden by one right may lack another.
    for (let round = 0; left.length > 0 && round < 3; round++) {
      await Promise.all(left.map(({ fix }) => cluster.runAcls(fix, name)))
      left = await missingOf(name)
    }
    expect(left).toEqual([])
  })
})

it('exactly these rights are enough for a recovery', async () => {
  const ran = await unclean('--all-offline-partitions', '--automated-recovery', ...as('all'), '--json')
  expect(ran.exit, ran.stderr).toBe(0)
  expect(documentOf(ran).summary).toEqual({ elected: 2 })
  expect((await state()).map(([partition]) => [partition?.leader, partition?.replicas])).toEqual(
    TOPICS.map(() => [2, [3, 1, 2]]),
  )
})
