import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { distinctOffsets, lossOf } from '../planning/loss.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { rankReplicas } from '../planning/rank.js'
import { effectOfReturn, isHarmful, type LeaderEffect, type StopKind } from './return-effect.js'

/** Offsets that go, as far as it is known. `open`: some replica that would follow was not read, so more may be ("N + ?"). */
export type StartLoss =
  /** No leader comes of it. */
  | { readonly kind: 'nothing' }
  /** The log that would lead was not read. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'offsets'; readonly atLeast: number; readonly open: boolean }
  /** Everything that the others hold. */
  | { readonly kind: 'all'; readonly atLeast: number; readonly open: boolean }

/** What becomes of one partition if a missing broker starts. */
export interface StartOutcome {
  readonly broker: number
  /** new: its log of this partition is gone, the disk having been replaced or taken out. */
  readonly disk: 'old' | 'new'
  /** Of a clean and an unclean stop, which nobody can tell apart from outside, the graver one. */
  readonly effect: LeaderEffect
  readonly harmful: boolean
  /** Replicas that were read and would be cut, ascending. */
  readonly wiped: readonly number[]
  /** Replicas that were read and would follow. */
  readonly followers: readonly number[]
  readonly lost: StartLoss
  /** One line: "8 may lead by itself; 2, 3 follow". */
  readonly text: string
}

type StartContext = Pick<PlanningContext, 'brokers' | 'topicConfigs'>
const STOPS: readonly StopKind[] = ['clean', 'unclean']

/** For each missing broker of the assignment, in its order: with its old disk, then with a new one. */
export function outcomesOfStarts(evidence: PartitionEvidence, context: StartContext): StartOutcome[] {
  return evidence.state.replicas
    .filter((broker) => context.brokers.get(broker) !== 'up')
    .flatMap((broker) => (['old', 'new'] as const).map((disk) => outcomeOfStart(evidence, broker, disk, context)))
}

export function outcomeOfStart(
  evidence: PartitionEvidence,
  broker: number,
  disk: 'old' | 'new',
  context: StartContext,
): StartOutcome {
  const effects = STOPS.map((stop) =>
    effectOfReturn(evidence, { broker, stop, disk: disk === 'old' ? 'old' : 'emptied' }, context),
  )
  const gravity = (effect: LeaderEffect) =>
    isHarmful(effect, evidence) ? 3 : effect.kind === 'unknown' ? 2 : effect.kind === 'leads' ? 1 : 0
  const [effect = { kind: 'staysOffline' }] = [...effects].sort((a, b) => gravity(b) - gravity(a))
  const harmful = isHarmful(effect, evidence)
  const read = rankReplicas(evidence, { brokers: context.brokers, strategy: 'rank' }).eligible
  const leader = effect.kind === 'leads' ? effect.broker : null
  const others = leader === null ? [] : read.filter((log) => log.broker !== leader)
  const wiped = effect.kind === 'leads' ? [...effect.mayLose].sort((a, b) => a - b) : []
  const lost = lossOfStart(evidence, effect, others, disk === 'new' && leader === broker)
  const followers = others.map((log) => log.broker)
  const outcome = { broker, disk, effect, harmful, wiped, followers, lost }
  return { ...outcome, text: textOf(outcome) }
}

function lossOfStart(
  { state, replicas }: PartitionEvidence,
  effect: LeaderEffect,
  others: readonly ReplicaLog[],
  emptied: boolean,
): StartLoss {
  if (effect.kind === 'unknown') return { kind: 'unknown' }
  if (effect.kind !== 'leads') return { kind: 'nothing' }
  const open = state.replicas.some((id) => id !== effect.broker && !others.some(({ broker }) => broker === id))
  if (emptied) {
    const nothing = { logStartOffset: 0, logEndOffset: 0, epochs: [] }
    const atLeast = distinctOffsets(others.flatMap((log) => lossOf(nothing, log).ranges))
    return { kind: effect.mayLose.length === 0 ? 'offsets' : 'all', atLeast, open }
  }
  const replica = replicas.find(({ broker }) => broker === effect.broker)
  const log = replica?.kind === 'read' ? replica : replica?.shown
  if (log === undefined) return { kind: 'unknown' }
  const losses = others.map((follower) => lossOf(log, follower))
  const compared = losses.every(({ offsets }) => offsets !== null)
  return {
    kind: 'offsets',
    atLeast: distinctOffsets(losses.flatMap(({ ranges }) => ranges)),
    open: open || !compared,
  }
}

function textOf({ broker, disk, effect, harmful, wiped, followers }: Omit<StartOutcome, 'text'>): string {
  switch (effect.kind) {
    case 'hasLeader':
      return 'it has a leader already'
    case 'unknown':
      return `whom Kafka would make leader is not known (${effect.among.join(', ')})`
    case 'staysOffline':
      return disk === 'old'
        ? 'stays offline: no leader comes of it'
        : `stays offline: ${broker} will follow whoever is elected`
    case 'leads': {
      if (harmful) {
        const losers = wiped.length === 0 ? 'OTHERS' : wiped.join(wiped.length === 2 ? ' AND ' : ', ')
        const by = effect.broker === broker ? '' : ` by ${effect.broker}, which it wakes`
        // Of those nothing was read, so there is nobody to elect for them: they have to be back first.
        return `${losers} MAY BE WIPED${by}: ${wiped.length === 0 ? 'start those before' : 'elect before'}`
      }
      const who = effect.broker === broker ? `${broker} may lead by itself` : `${effect.broker} may lead, woken by it`
      return followers.length === 0
        ? who
        : `${who}; ${followers.join(', ')} ${followers.length === 1 ? 'follows' : 'follow'}`
    }
  }
}
