import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type BrokerState, type ClusterSnapshot, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { makePlan } from '../planning/make-plan.js'
import type { AcceptableCode, PlannedPartition, RecoveryPlan } from '../planning/plan.js'
import { isPlanned, type LeaderChoice, planPartition } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { changedSince } from '../planning/stale.js'
import { RefusedError } from '../refused.js'
import { withSituation } from '../returns/situation-warnings.js'
import { electionsBy, type PlannedRecovery, type PlanningOptions, planPartitions } from './plan-recovery.js'
import { readSituation, type SituationOptions } from './read-situation.js'

/**
 * Takes up a saved plan. Its choices and evidence count; all that follows from them (method, order, loss, warnings) is worked
 * out anew, so that nothing depends on a number that somebody changed in the file. Whether the evidence still holds is
 * checked when it is applied, or by `changesSince`. Throws RefusedError for a plan of another cluster.
 */
export async function planFromFile(
  cluster: Cluster,
  saved: RecoveryPlan,
  method: PlanningOptions['method'],
  options: Pick<SituationOptions, 'durationMs' | 'memory'> & Partial<Pick<PlanningOptions, 'accepted'>> = {
    durationMs: 30_000,
  },
): Promise<PlannedRecovery> {
  const [snapshot, capabilities] = await Promise.all([
    cluster.snapshot({ logDirs: false, elr: true, configs: true, quorum: true }),
    cluster.capabilities(),
  ])
  refuseOtherCluster(saved, snapshot)
  const context = { ...contextOf(saved, snapshot, capabilities, method), accepted: options.accepted ?? new Set() }
  const redone = saved.partitions.map((entry) =>
    planPartition(entry.evidence, { ...context, brokers: brokersAsOf(entry.evidence) }, choiceOf(entry)),
  )
  const plan = makePlan({
    clusterId: saved.clusterId,
    evidences: [],
    skippedAlready: [...saved.skipped, ...redone.flatMap((entry) => (isPlanned(entry) ? [] : [entry]))],
    context,
    now: saved.createdAt,
    planId: saved.planId,
  })
  // Its evidence may be old; what threatens now is read now.
  const situation = await readSituation(cluster, snapshot, options)
  const whole = { ...plan, partitions: redone.filter(isPlanned) }
  return { plan: withSituation(whole, situation), snapshot, capabilities, context, situation }
}

export interface PlanChange extends TopicPartition {
  /** One line. */
  readonly reason: string
  /** Who leads it by now: it needs no election. Null: nobody, and what was planned must not be done. */
  readonly leader: number | null
}

/** What of a plan does not hold any more, by what the cluster shows now; writes nothing. Empty: all is as planned. */
export async function changesSince(
  cluster: Cluster,
  plan: RecoveryPlan,
  options: PlanningOptions,
): Promise<PlanChange[]> {
  const { partitions } = plan
  const choices = new Map(partitions.map((entry) => [partitionName(entry), handChoice(entry)]))
  const selection = { kind: 'named', partitions } as const
  const now = await planPartitions(cluster, selection, { ...options, strategy: plan.strategy, choices, readLed: true })
  const evidences = new Map<string, PartitionEvidence | string>()
  for (const entry of [...now.plan.partitions, ...now.plan.skipped]) {
    evidences.set(partitionName(entry), entry.evidence ?? ('reason' in entry ? entry.reason : 'it was not read'))
  }
  return partitions.flatMap((entry) => {
    const evidence = evidences.get(partitionName(entry)) ?? 'it was not read'
    const reason = typeof evidence === 'string' ? evidence : changedSince(entry, evidence, now.context)
    const leader = typeof evidence === 'string' ? null : evidence.state.leader
    return reason === null ? [] : [{ topic: entry.topic, partition: entry.partition, reason, leader }]
  })
}

/** A broker that is in another state than when a plan's logs were read. */
export interface BrokerChange {
  readonly broker: number
  readonly was: BrokerState
  readonly is: BrokerState
}

/** Of the brokers that the plan's partitions are on; by id. */
export function brokersChangedSince(
  { partitions, skipped }: Pick<RecoveryPlan, 'partitions' | 'skipped'>,
  { brokers }: Pick<ClusterSnapshot, 'brokers'>,
): BrokerChange[] {
  const before = new Map<number, BrokerState>()
  for (const { evidence } of [...partitions, ...skipped]) {
    if (evidence === null) continue
    for (const [broker, state] of brokersAsOf(evidence)) if (before.get(broker) !== 'up') before.set(broker, state)
  }
  const now = new Map(brokers.map(({ id, state }) => [id, state]))
  return [...before]
    .map(([broker, was]): BrokerChange => ({ broker, was, is: now.get(broker) ?? 'down' }))
    .filter(({ was, is }) => was !== is)
    .sort((a, b) => a.broker - b.broker)
}

function refuseOtherCluster(saved: RecoveryPlan, { clusterId }: ClusterSnapshot): void {
  if (clusterId === saved.clusterId) return
  throw new RefusedError(
    'otherCluster',
    `the plan is of cluster ${saved.clusterId}, this is ${clusterId}: connect to that one, or make a new plan here`,
  )
}

function contextOf(
  saved: RecoveryPlan,
  snapshot: ClusterSnapshot,
  capabilities: Capabilities,
  method: PlanningOptions['method'],
): PlanningContext {
  const asSaved = saved.method === 'designated' ? 'designated' : 'reorder'
  return {
    elections: electionsBy(method === 'auto' ? asSaved : method, capabilities),
    strategy: saved.strategy,
    brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])),
    accepted: new Set(),
    reassigning: new Set(),
    topicConfigs: snapshot.topicConfigs,
    internalTopics: snapshot.internalTopics,
  }
}

/** Who was alive when the evidence was read, as far as it tells. */
function brokersAsOf({ replicas }: PartitionEvidence): ReadonlyMap<number, BrokerState> {
  return new Map(
    replicas.map((replica): [number, BrokerState] => {
      const away = replica.kind === 'notRead' && (replica.cause === 'down' || replica.cause === 'fenced')
      return [replica.broker, away ? replica.cause : 'up']
    }),
  )
}

/** A leader that is not simply the first by rank was chosen by somebody: in the console, with --accept, or in the file itself. */
export function choiceOf(entry: PlannedPartition): LeaderChoice | undefined {
  const first = entry.ranking.find(({ rank }) => rank === 1)?.broker
  const chosen =
    entry.byHand || entry.designatedLeader !== first || entry.warnings.some(({ code }) => code === 'accepted')
  return chosen ? handChoice(entry) : undefined
}

function handChoice(entry: PlannedPartition): LeaderChoice {
  return { designatedLeader: entry.designatedLeader, by: 'hand', accepted: acceptedIn(entry) }
}

/** What was accepted of a planned partition, when the plan was made. */
export function acceptedIn({ warnings }: Pick<PlannedPartition, 'warnings'>): ReadonlySet<AcceptableCode> {
  return new Set(warnings.flatMap(({ code, overruled }) => (code === 'accepted' && overruled ? [overruled] : [])))
}
