import { randomUUID } from 'node:crypto'
import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import { makePlan } from '../planning/make-plan.js'
import type { AcceptableCode, RecoveryPlan, Strategy } from '../planning/plan.js'
import type { LeaderChoice } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import type { SeenEmptyStorage } from '../returns/seen-empty.js'
import type { Situation } from '../returns/situation.js'
import { withSituation } from '../returns/situation-warnings.js'
import { readSituation } from './read-situation.js'
import { type Selection, selectPartitions } from './select-partitions.js'

export type MethodChoice = 'auto' | 'designated' | 'reorder' | 'unclean'

export interface PlanningOptions {
  /** A broker that has not told its logs within this time is no candidate. ms */
  readonly durationMs: number
  readonly strategy: Strategy
  readonly method: MethodChoice
  readonly accepted: ReadonlySet<AcceptableCode>
  /** Leaders chosen by hand, by partitionName. */
  readonly choices?: ReadonlyMap<string, LeaderChoice>
  /** Read the logs of partitions that have a leader, too: to show them. */
  readonly readLed?: boolean
  readonly onProgress?: (done: number, total: number) => void
}

/** A plan with what it was made from. */
export interface Planned {
  readonly plan: RecoveryPlan
  readonly snapshot: ClusterSnapshot
  readonly capabilities: Capabilities
  readonly context: PlanningContext
}

/** With what has to be known of the rest of the cluster before it is carried out. */
export interface PlannedRecovery extends Planned {
  readonly situation: Situation
}

/** The election method that was asked for by name is none that this cluster offers. */
export class MethodNotOfferedError extends Error {
  override readonly name = 'MethodNotOfferedError'
}

/** planPartitions, with the situation of the whole cluster: alarms do not stop at the partitions that were chosen. */
export async function planRecovery(
  cluster: Cluster,
  selection: Selection,
  options: PlanningOptions & { readonly memory?: SeenEmptyStorage },
): Promise<PlannedRecovery> {
  const planned = await planPartitions(cluster, selection, options)
  const { plan, snapshot } = planned
  const known = [...plan.partitions, ...plan.skipped].flatMap(({ evidence }) => evidence ?? [])
  const situation = await readSituation(cluster, snapshot, { ...options, known })
  return { ...planned, plan: withSituation(plan, situation), situation }
}

/**
 * Reads the cluster, every replica's log of the selected partitions without a leader, and plans. Sends nothing that writes:
 * this is the dry run of everything.
 */
export async function planPartitions(
  cluster: Cluster,
  selection: Selection,
  options: PlanningOptions,
): Promise<Planned> {
  const [snapshot, capabilities] = await Promise.all([
    cluster.snapshot({ logDirs: false, elr: true, configs: true, quorum: true }),
    cluster.capabilities(),
  ])
  const { found, missing } = selectPartitions(selection, snapshot)
  const readLed = options.readLed === true
  const toRead = readLed ? found : found.filter(({ leader }) => leader === null)
  const led = readLed ? [] : found.filter(({ leader }) => leader !== null)
  const elections = electionsBy(options.method, capabilities)
  const [reassigning, evidences] =
    toRead.length === 0
      ? [new Set<string>(), []]
      : await Promise.all([
          // Only the controller knows them, and tells them who may elect; else nothing is elected, and every election looks again.
          capabilities.mayElect === false || snapshot.problems.some(({ code }) => code === 'noQuorum')
            ? new Set<string>()
            : cluster.reassignments(toRead),
          cluster.readReplicaLogs(toRead, {
            durationMs: options.durationMs,
            history: true,
            ...(options.onProgress ? { onProgress: options.onProgress } : {}),
          }),
        ])
  const context: PlanningContext = {
    elections,
    strategy: options.strategy,
    brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])),
    accepted: options.accepted,
    reassigning,
    topicConfigs: snapshot.topicConfigs,
    internalTopics: snapshot.internalTopics,
  }
  const plan = makePlan({
    clusterId: snapshot.clusterId,
    evidences,
    skippedAlready: [
      ...missing,
      ...led.map(({ topic, partition, leader }) => ({
        topic,
        partition,
        code: 'hasLeader' as const,
        reason: `broker ${leader} leads it already: nothing to do`,
        blockedBy: null,
        kafkaWouldElect: null,
        leader,
        evidence: null,
        ranking: [],
      })),
    ],
    context,
    now: new Date(),
    planId: randomUUID(),
    ...(options.choices ? { choices: options.choices } : {}),
  })
  return { plan, snapshot, capabilities, context }
}

/** How elections will be made. In ZooKeeper mode `auto` plans as on a stock cluster, but writing needs the method by name. */
export function electionsBy(method: MethodChoice, capabilities: Capabilities): PlanningContext['elections'] {
  switch (method) {
    case 'auto':
      return capabilities.method === 'designated' ? 'designated' : 'stock'
    case 'designated':
      if (capabilities.method === 'designated') return 'designated'
      throw new MethodNotOfferedError(
        '--election-method designated: not every broker offers ElectLeaders 3 (KIP-1275); use reorder',
      )
    case 'reorder':
      return 'stock'
    case 'unclean':
      return 'unclean'
  }
}
