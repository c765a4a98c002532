import type { PartitionEvidence } from '../../cluster/replica-log.js'
import {
  type BrokerState,
  byTopicPartition,
  type ClusterSnapshot,
  type PartitionState,
  partitionName,
  type TopicPartition,
} from '../../cluster/snapshot.js'
import { acceptableAsLeader } from '../planning/predicted-winner.js'
import { isEmptyLog, rankReplicas } from '../planning/rank.js'
import { type Alarm, alarmedBrokers, alarmsOf, logsDecide } from './alarms.js'
import type { SeenEmpty } from './seen-empty.js'
import { type StartAdvice, startAdviceCollector, startFindings } from './start-advice.js'

/** What an operator must know of the whole cluster before anything is started or elected in any part of it. */
export interface Situation {
  /** The gravest first. */
  readonly alarms: readonly Alarm[]
  /** In the order in which to start them. Empty while an alarm stands: then nothing is to be started. */
  readonly starts: readonly StartAdvice[]
  /** Brokers that are away now and were up with empty logs before, of partitions that are still without a leader. */
  readonly seenEmpty: readonly SeenEmpty[]
  /** partitionName of offline partitions that nobody alive could lead: they can not be elected before some start. */
  readonly nobodyAlive: ReadonlySet<string>
  /** partitionName of those of which only empty logs were read: electing one would be the loss that is to be avoided. */
  readonly onlyEmpty: ReadonlySet<string>
  /** partitionName of those whose logs were not read for this: whether an alive replica can be elected is for a plan to say. */
  readonly notRead: ReadonlySet<string>
  /** For each missing broker those among them that it has a replica of, and does not bring back by itself. */
  readonly wouldBeCandidateOf: ReadonlyMap<number, readonly TopicPartition[]>
}

type SituationContext = {
  readonly brokers: ReadonlyMap<number, BrokerState>
  readonly topicConfigs: ClusterSnapshot['topicConfigs']
}

export function situationContext({ brokers, topicConfigs }: ClusterSnapshot): SituationContext {
  return { brokers: new Map(brokers.map(({ id, state }) => [id, state])), topicConfigs }
}

/** Whose logs have to be read to know the situation. */
export function toReadForSituation(snapshot: ClusterSnapshot): PartitionState[] {
  const context = situationContext(snapshot)
  return snapshot.partitions.filter((state) => logsDecide(state, context))
}

/** Over every partition without a leader, whatever was chosen. `evidences`: at least of toReadForSituation. Pure. */
export function situationOf(
  snapshot: ClusterSnapshot,
  evidences: readonly PartitionEvidence[],
): Omit<Situation, 'seenEmpty'> {
  const context = situationContext(snapshot)
  const offline = evidences.filter(({ state }) => state.leader === null)
  const alarms = alarmsOf(snapshot, offline, context)
  const read = new Map(offline.map((evidence) => [partitionName(evidence.state), evidence]))
  const advice = startAdviceCollector(context)
  const nobodyAlive = new Set<string>()
  const onlyEmpty = new Set<string>()
  const notRead = new Set<string>()
  const candidates = new Map<number, TopicPartition[]>()
  for (const state of snapshot.partitions) {
    if (state.leader !== null) continue
    const name = partitionName(state)
    const evidence = read.get(name)
    const findings = startFindings(evidence ?? unreadEvidence(state, context, snapshot.readAt), context)
    advice.add(state, findings)
    const whom = whomToElect(state, evidence ?? null, context)
    if (whom === 'notRead') notRead.add(name)
    if (whom === 'onlyEmpty') onlyEmpty.add(name)
    if (whom !== 'nobodyAlive') continue
    nobodyAlive.add(name)
    for (const { broker, bringsBack } of findings) {
      if (bringsBack) continue
      const partitions = candidates.get(broker) ?? []
      candidates.set(broker, partitions)
      partitions.push({ topic: state.topic, partition: state.partition })
    }
  }
  for (const partitions of candidates.values()) partitions.sort(byTopicPartition)
  return {
    alarms,
    starts: alarmedBrokers(alarms).size > 0 ? [] : advice.advice(),
    nobodyAlive,
    onlyEmpty,
    notRead,
    wouldBeCandidateOf: candidates,
  }
}

/** Whether somebody could be elected before any start; `evidence` null: its logs were not read. */
export function whomToElect(
  state: PartitionState,
  evidence: PartitionEvidence | null,
  context: SituationContext,
): 'nobodyAlive' | 'onlyEmpty' | 'notRead' | 'somebody' {
  if (!state.replicas.some(acceptableAsLeader(state, context.brokers))) return 'nobodyAlive'
  if (evidence === null) return 'notRead'
  return rankReplicas(evidence, { ...context, strategy: 'rank' }).eligible.every(isEmptyLog) ? 'onlyEmpty' : 'somebody'
}

/** As if nobody had told a log: enough where no broker that answers may become leader. */
function unreadEvidence(state: PartitionState, { brokers }: SituationContext, readAt: Date): PartitionEvidence {
  return {
    state,
    replicas: state.replicas.map((broker) => ({
      kind: 'notRead',
      broker,
      cause: brokers.get(broker) === 'fenced' ? 'fenced' : brokers.get(broker) === 'up' ? 'error' : 'down',
      reason: 'not asked for',
    })),
    readAt,
  }
}
