import { partitionName } from '../../../src/cluster/snapshot.js'
import { runPlan } from '../../../src/recovery/apply/apply-plan.js'
import type { RecoveryEvent, RecoveryReport } from '../../../src/recovery/apply/outcome.js'
import type { ApplyOptions, ApplyPorts } from '../../../src/recovery/apply/ports.js'
import { makePlan } from '../../../src/recovery/planning/make-plan.js'
import type { RecoveryPlan } from '../../../src/recovery/planning/plan.js'
import type { PlanningContext } from '../../../src/recovery/planning/planning-context.js'
import type { RestoreOptions } from '../../../src/recovery/restore/restore.js'
import { FakeProcesses, MemoryStorage } from '../journal/memory-storage.js'
import { planningContext } from '../scenario-evidence.js'
import type { FakeCluster, FakePartition } from './fake-cluster.js'

/** An offline partition of brokers 1 (dead, led last), 2 and 3, whose logs end at 90 and 100: broker 3 is to be elected. */
export function offlinePartition(partition: number, differing: Partial<FakePartition> = {}): FakePartition {
  const log = (logEndOffset: number) => ({
    logStartOffset: 0,
    logEndOffset,
    epochs: [
      { epoch: 0, startOffset: 0 },
      { epoch: 4, startOffset: 50 },
    ],
  })
  return {
    topic: 't',
    partition,
    topicId: 'AAAAAAAAAAAAAAAAAAAAAA',
    leader: null,
    leaderEpoch: 5,
    replicas: [1, 2, 3],
    isr: [],
    elr: [1],
    lastKnownElr: [1],
    logs: new Map([
      [1, log(120)],
      [2, log(90)],
      [3, log(100)],
    ]),
    reassigning: false,
    ...differing,
  }
}

/** The plan that the planning half makes of what the cluster shows. */
export async function planOf(
  cluster: FakeCluster,
  names: readonly string[],
  differing: Partial<PlanningContext> = {},
): Promise<RecoveryPlan> {
  const partitions = names.map((name) => {
    const { topic, partition } = cluster.partition(name)
    return { topic, partition }
  })
  const { found, brokersUp } = await cluster.readPartitions(partitions)
  cluster.calls = 0
  const brokers = new Map([1, 2, 3, 4].map((id) => [id, brokersUp.has(id) ? ('up' as const) : ('down' as const)]))
  return makePlan({
    clusterId: cluster.clusterId,
    evidences: found.map((state) => cluster.evidenceOf(state)),
    skippedAlready: [],
    context: planningContext(brokers, differing),
    now: cluster.clock.now(),
    planId: 'plan',
  })
}

export const OPTIONS: ApplyOptions = {
  context: { strategy: 'rank', topicConfigs: new Map() },
  mode: 'kraft',
  readOnly: false,
  electionAttempts: 3,
  recoveryDurationMs: 30_000,
  requestTimeoutMs: 10_000,
  timeLimitMs: null,
  stop: null,
}

export const RESTORE_OPTIONS: RestoreOptions = {
  clusterId: 'fake',
  readOnly: false,
  attempts: 3,
  requestTimeoutMs: 10_000,
  visibleWithinMs: 10_000,
  topicConfigs: new Map(),
}

export function portsFor(
  cluster: FakeCluster,
  storage = new MemoryStorage(),
  processes = new FakeProcesses(),
): ApplyPorts {
  return { journals: { storage, processes }, clock: cluster.clock }
}

export interface Ran {
  readonly report: RecoveryReport
  readonly events: readonly RecoveryEvent[]
}

export async function run(
  cluster: FakeCluster,
  plan: RecoveryPlan,
  { ports = portsFor(cluster), options = {} }: { ports?: ApplyPorts; options?: Partial<ApplyOptions> } = {},
): Promise<Ran> {
  const events: RecoveryEvent[] = []
  const report = await runPlan(cluster, plan, ports, { ...OPTIONS, ...options }, (event) => events.push(event))
  return { report, events }
}

export function outcomeFor(report: RecoveryReport, name: string) {
  const found = report.outcome.filter((outcome) => partitionName(outcome) === name)
  if (found.length !== 1) throw new Error(`${found.length} outcomes for ${name}`)
  return found[0]!
}
