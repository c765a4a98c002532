import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster.js'
import { connectCluster } from '../../../src/cluster/connect.js'
import type { ReplicaRead } from '../../../src/cluster/replica-log.js'
import type { RecoveryPlan } from '../../../src/recovery/planning/plan.js'
import { planRecovery } from '../../../src/recovery/use-cases/plan-recovery.js'
import { checkScenario } from '../../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import { type Expected, type ScenarioCase, scenarioCase, scenarioNames } from '../scenario-evidence.js'

// The same cases as cases.test.ts, but read over TCP from the simulator: what the readers hand over has to be what the scenario
// file says, and the plan made of it the expected one.

const running: { simulator?: RunningSimulator; cluster?: Cluster } = {}
afterEach(async () => {
  await running.cluster?.close()
  await running.simulator?.stop()
})

async function connect(name: string, personality: 'stock' | 'kip1275'): Promise<Cluster> {
  const file = new URL(`../../cases/scenarios/${name}.json`, import.meta.url)
  const scenario = checkScenario({ ...JSON.parse(readFileSync(file, 'utf8')), personality }, name)
  running.simulator = await startSimulator(scenario, {})
  const [host = '', port] = running.simulator.bootstrapServers.split(',')[0]?.split(':') ?? []
  running.cluster = await connectCluster({
    bootstrapServers: [{ host, port: Number(port) }],
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
  })
  return running.cluster
}

/** What ranking and losses depend on. */
function essence(read: ReplicaRead) {
  if (read.kind === 'notRead') return { broker: read.broker, cause: read.cause }
  const { broker, logStartOffset, logEndOffset, lastWrittenEpoch, epochs } = read
  return { broker, logStartOffset, logEndOffset, lastWrittenEpoch, epochs }
}

const planOf = async (cluster: Cluster): Promise<RecoveryPlan> => {
  const { plan } = await planRecovery(
    cluster,
    { kind: 'allOffline' },
    { durationMs: 10_000, strategy: 'rank', method: 'auto', accepted: new Set() },
  )
  return plan
}

function expectOutcome(plan: RecoveryPlan, wanted: Expected): void {
  const same = (one: { topic: string; partition: number }) =>
    one.topic === wanted.topic && one.partition === wanted.partition
  const planned = plan.partitions.find(same)
  if (wanted.left.length > 0) {
    const skipped = plan.skipped.find(same)
    expect(wanted.left).toContain(skipped?.code)
    expect(skipped).toMatchObject({ blockedBy: wanted.blockedBy, kafkaWouldElect: wanted.kafkaWouldElect })
    return
  }
  const { designatedLeader, kafkaWouldElect, method, lossKnown, lossAtLeast, committedAtLeast } = wanted
  expect(planned).toMatchObject({ designatedLeader, kafkaWouldElect, method, committedAtLeast })
  expect(planned?.loss).toMatchObject({ known: lossKnown, atLeast: lossAtLeast })
}

function expectEvidence(plan: RecoveryPlan, { evidences }: ScenarioCase): void {
  for (const { evidence } of [...plan.partitions, ...plan.skipped]) {
    if (evidence === null) continue
    const { topic, partition } = evidence.state
    const wanted = evidences.find(({ state }) => state.topic === topic && state.partition === partition)
    expect(evidence.replicas.map(essence)).toEqual(wanted?.replicas.map(essence))
  }
}

describe.each(scenarioNames())('case %s over the wire', (name) => {
  it('is read and planned as written beside it on stock brokers', async () => {
    const plan = await planOf(await connect(name, 'stock'))
    const wanted = scenarioCase(name)
    expectEvidence(plan, wanted)
    for (const partition of wanted.expected) expectOutcome(plan, partition)
    expect(plan.partitions.length + plan.skipped.length).toBe(wanted.expected.length)
  })

  it('is read the same from brokers with KIP-1275, and nothing is blocked there', async () => {
    const plan = await planOf(await connect(name, 'kip1275'))
    const wanted = scenarioCase(name)
    expectEvidence(plan, wanted)
    expect(plan.method).toBe('designated')
    for (const partition of wanted.expected) {
      const left = partition.left.filter((code) => code !== 'blocked')
      const method = left.length === 0 ? 'designated' : null
      expectOutcome(plan, { ...partition, left, blockedBy: null, method })
    }
  })
})
