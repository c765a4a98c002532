import {
  type BrokerState,
  type ClusterSnapshot,
  type PartitionState,
  partitionName,
  type Quorum,
  type TopicConfig,
  type TopicPartition,
} from '../cluster/snapshot.js'
import { acceptableAsLeader, predictedWinner } from '../recovery/planning/predicted-winner.js'
import { outcomeOfStart, type StartOutcome } from '../recovery/returns/if-started.js'
import type { AffectedPartition } from './affected-partitions.js'
import { wouldLeadEmptied } from './gate.js'
import type { SeenBroker } from './seen-placements.js'

/** What stopping a broker, and starting it with the directory emptied, does. By topic, then partition. */
export interface RestartImpact {
  readonly broker: number
  /** It is away already: what that takes has happened. */
  readonly away: boolean
  /** No leader while it is away: nobody else is in sync with what only its good directories hold. */
  readonly goesOffline: readonly TopicPartition[]
  /** Among those, and among the partitions without a leader: the only complete copy that is alive is on its good directories. */
  readonly onlyCopy: readonly TopicPartition[]
  /** Another in-sync replica takes over. */
  readonly changesLeader: readonly TopicPartition[]
  /** Keeps a leader, and comes below min.insync.replicas: producers with acks=all are refused. */
  readonly underMinIsr: readonly TopicPartition[]
  /** The same cannot be told of these: their topic's configuration was not read. */
  readonly minIsrUnknown: readonly TopicPartition[]
  readonly quorum: QuorumImpact
  /** Whether the failed directory holds the metadata log. Null: not known. */
  readonly metadataLog: boolean | null
  /** What becomes of partitions whose emptied replica Kafka would make leader when it starts again. */
  readonly emptiedLeads: readonly (TopicPartition & { readonly outcome: StartOutcome })[]
  /** Null: go ahead, in the order of the steps. Else one line: why not. */
  readonly noGoAhead: string | null
}

export type QuorumImpact =
  /** It is no controller, or (ZooKeeper mode) there is no quorum. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'member'
      readonly voters: number
      readonly caughtUp: number
      readonly needed: number
      readonly falls: boolean
    }
  /** It may be a controller; whether the quorum holds without it is not known. */
  | { readonly kind: 'unknown'; readonly reason: string }

export interface ImpactInput {
  readonly broker: number
  readonly path: string
  readonly snapshot: ClusterSnapshot
  /** Those whose replica is or was in the directory. Where it has failed, it is lost to them already, and not counted again. */
  readonly affected: readonly AffectedPartition[]
  /** Of every topic that the broker is in sync for. */
  readonly topicConfigs: ReadonlyMap<string, TopicConfig>
  readonly config: SeenBroker | null
}

export function restartImpact({ broker, path, snapshot, affected, topicConfigs, config }: ImpactInput): RestartImpact {
  const brokers = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
  const lost = lostAlready(broker, path, snapshot, affected)
  const away = brokers.get(broker) !== 'up'
  const impact = {
    goesOffline: [] as TopicPartition[],
    onlyCopy: [] as TopicPartition[],
    changesLeader: [] as TopicPartition[],
    underMinIsr: [] as TopicPartition[],
    minIsrUnknown: [] as TopicPartition[],
  }
  if (!away) {
    for (const state of snapshot.partitions) {
      if (lost.has(partitionName(state)) || !state.replicas.includes(broker)) continue
      const { topic, partition } = state
      for (const effect of withoutBroker(broker, state, brokers, topicConfigs))
        impact[effect].push({ topic, partition })
    }
  }
  const quorum = quorumImpact(broker, snapshot, config)
  const metadataLog = config === null ? null : config.metadataLogDir === path
  const context = { brokers: new Map([...brokers, [broker, 'down' as const]]), topicConfigs }
  const emptiedLeads = affected.flatMap((one) => {
    if (one.evidence === null || one.state.leader !== null || !wouldLeadEmptied(broker, one, context)) return []
    const { topic, partition } = one.state
    return [{ topic, partition, outcome: outcomeOfStart(one.evidence, broker, 'new', context) }]
  })
  return {
    broker,
    away,
    ...impact,
    quorum,
    metadataLog,
    emptiedLeads,
    noGoAhead: whyNoGoAhead(broker, path, away, quorum, metadataLog),
  }
}

/**
 * What a stop takes from nobody any more: all of a directory that is not online; of one that is back (state Z), or was taken out of log.dirs,
 * only what has no leader: the broker serves the rest again.
 */
function lostAlready(
  broker: number,
  path: string,
  { logDirs }: ClusterSnapshot,
  affected: readonly AffectedPartition[],
): ReadonlySet<string> {
  const own = logDirs?.filter((dir) => dir.broker === broker) ?? []
  const served = own.length > 0 && own.every((dir) => dir.path !== path || dir.state === 'online')
  return new Set(
    affected.filter(({ state }) => !served || state.leader === null).map(({ state }) => partitionName(state)),
  )
}

type Effect = 'goesOffline' | 'onlyCopy' | 'changesLeader' | 'underMinIsr' | 'minIsrUnknown'

function withoutBroker(
  broker: number,
  state: PartitionState,
  brokers: ReadonlyMap<number, BrokerState>,
  topicConfigs: ReadonlyMap<string, TopicConfig>,
): Effect[] {
  const acceptable = acceptableAsLeader(state, brokers)
  const others = state.isr.filter((id) => id !== broker)
  if (state.leader === null) {
    const alive = state.replicas.filter(acceptable)
    return alive.length === 1 && alive[0] === broker ? ['onlyCopy'] : []
  }
  if (!state.isr.includes(broker)) return []
  const config = topicConfigs.get(state.topic)
  if (others.length === 0) {
    // An ELR member that is alive may lead then; one that was not told is not counted on.
    const winner = predictedWinner(
      { isr: [], elr: state.elr ?? [], lastKnownElr: [] },
      state.replicas,
      (id) => id !== broker && acceptable(id),
      config?.uncleanLeaderElection === true ? 'unclean' : 'touch',
    )
    return winner.kind === 'broker' ? ['changesLeader', 'onlyCopy'] : ['goesOffline', 'onlyCopy']
  }
  const effects: Effect[] = state.leader === broker ? ['changesLeader'] : []
  const configured = config?.minInsyncReplicas ?? null
  // Kafka counts no more than there are replicas (ReplicationControlManager.getTopicEffectiveMinIsr).
  const minimum = configured === null ? null : Math.min(configured, state.replicas.length)
  if (minimum === null) effects.push('minIsrUnknown')
  else if (others.length < minimum && state.isr.length >= minimum) effects.push('underMinIsr')
  return effects
}

function quorumImpact(broker: number, { quorum, problems }: ClusterSnapshot, config: SeenBroker | null): QuorumImpact {
  const isVoter = quorum?.voters.some(({ id }) => id === broker) ?? null
  if (isVoter === false || (isVoter === null && config !== null && !config.processRoles.includes('controller'))) {
    return { kind: 'none' }
  }
  if (quorum === null) {
    const why =
      problems.find(({ code }) => code === 'noQuorum')?.text ?? 'DescribeQuorum was not answered or is not allowed'
    return { kind: 'unknown', reason: why }
  }
  return quorumWithout(broker, quorum)
}

function quorumWithout(broker: number, { voters }: Quorum): QuorumImpact {
  const needed = Math.floor(voters.length / 2) + 1
  if (voters.some(({ caughtUp }) => caughtUp === undefined)) {
    return { kind: 'unknown', reason: 'which controllers are alive was not told' }
  }
  const caughtUp = voters.filter((voter) => voter.caughtUp === true)
  const left = caughtUp.filter(({ id }) => id !== broker).length
  return { kind: 'member', voters: voters.length, caughtUp: caughtUp.length, needed, falls: left < needed }
}

function whyNoGoAhead(
  broker: number,
  path: string,
  away: boolean,
  quorum: QuorumImpact,
  metadataLog: boolean | null,
): string | null {
  if (metadataLog === true) {
    return `No go-ahead: ${path} holds the metadata log of broker ${broker} (metadata.log.dir). This is no repair of a data directory: follow Kafka's documentation for the loss of a metadata log, with the controllers first`
  }
  if (away) return null
  if (quorum.kind === 'member' && quorum.falls) {
    return `No go-ahead: broker ${broker} is one of ${quorum.voters} controllers, ${quorum.caughtUp} of them alive, and ${quorum.needed} are needed: without it nothing can be elected. Bring back the other controllers first`
  }
  return null
}
