import type { PartitionEvidence } from '../../cluster/replica-log.js'
import type { BrokerState, TopicPartition } from '../../cluster/snapshot.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { SharedParts } from '../planning/shared-parts.js'
import {
  effectOfReturn,
  isHarmful,
  type LeaderEffect,
  lastLeader,
  type StopKind,
  stateAfterReturn,
} from './return-effect.js'

/** What starting one missing broker with its old disks may do to the partitions without a leader, and with emptied ones. */
export interface StartAdvice {
  readonly broker: number
  readonly state: Exclude<BrokerState, 'up'>
  /** From 1: which to start first. */
  readonly order: number
  /** It may bring these back by itself, and is the one to do it: it led last, or nobody who did is missing. */
  readonly bringsBack: readonly TopicPartition[]
  /** Not alone, but once that other broker is up, too. */
  readonly once: readonly { readonly broker: number; readonly partitions: readonly TopicPartition[] }[]
  /** It may lead these before that other one, which led last, is up: with less than that one holds. Elect or start that first. */
  readonly before: readonly { readonly broker: number; readonly partitions: readonly TopicPartition[] }[]
  /** Its start, even with its old disks, may make a leader of one with less than others are known to hold. */
  readonly harms: readonly StartHarm[]
  /** With emptied disks it may lead these with an empty log and wipe the others: elect these before it starts. */
  readonly emptiedWipes: readonly TopicPartition[]
}

export interface StartHarm extends TopicPartition {
  /** Who would lead: it, or an alive one that its return wakes (state Z). */
  readonly leader: number
  readonly wipes: readonly number[]
}

type AdviceContext = Pick<PlanningContext, 'brokers' | 'topicConfigs'>
const STOPS: readonly StopKind[] = ['clean', 'unclean']

/** What the start of one missing broker may do to one partition without a leader. Equal findings about several are one object. */
export interface StartFinding {
  readonly broker: number
  readonly bringsBack: boolean
  /** Once that other broker is up, too; null: no other helps, or none is needed. */
  readonly once: number | null
  /** It may lead it before that other one, which led last, is up. */
  readonly before: number | null
  readonly harm: Pick<StartHarm, 'leader' | 'wipes'> | null
  readonly emptiedWipes: boolean
}

/**
 * What to tell first: for each missing broker (down or fenced) that partitions without a leader have, what its return may do.
 * How it stopped is not known, so each is worked out for a clean and for an unclean stop, and "may" means in one of them.
 * Sorted by the order in which to start them. Pure.
 */
export function startAdvice(evidences: readonly PartitionEvidence[], context: AdviceContext): StartAdvice[] {
  const collected = startAdviceCollector(context)
  for (const evidence of evidences) collected.add(evidence.state, startFindings(evidence, context))
  return collected.advice()
}

/** One for each missing broker of the assignment; none for a partition that has a leader. Depends on this partition alone. */
export function startFindings(evidence: PartitionEvidence, context: AdviceContext): readonly StartFinding[] {
  if (evidence.state.leader !== null) return []
  const missing = evidence.state.replicas.filter((broker) => context.brokers.get(broker) !== 'up')
  return shared.list(missing.map((broker) => examine(evidence, broker, missing, context)))
}

const shared = new SharedParts<StartFinding>()

/** Sums findings up, partition by partition, so that many of them need not be gone through at once. */
export interface StartAdviceCollector {
  add(partition: TopicPartition, findings: readonly StartFinding[]): void
  advice(): StartAdvice[]
}

export function startAdviceCollector({ brokers }: Pick<AdviceContext, 'brokers'>): StartAdviceCollector {
  const found = new Map<number, Findings>()
  return {
    add(partition, findings) {
      for (const finding of findings) {
        const sum = found.get(finding.broker) ?? newFindings()
        found.set(finding.broker, sum)
        addTo(sum, partition, finding)
      }
    },
    advice: () =>
      inStartOrder(found).map(([broker, findings], index) => ({
        broker,
        state: brokers.get(broker) === 'fenced' ? 'fenced' : 'down',
        order: index + 1,
        bringsBack: findings.bringsBack,
        once: byBroker(findings.once),
        before: byBroker(findings.before),
        harms: findings.harms,
        emptiedWipes: findings.emptiedWipes,
      })),
  }
}

interface Findings {
  readonly bringsBack: TopicPartition[]
  readonly once: Map<number, TopicPartition[]>
  readonly before: Map<number, TopicPartition[]>
  readonly harms: StartHarm[]
  readonly emptiedWipes: TopicPartition[]
}

function newFindings(): Findings {
  return { bringsBack: [], once: new Map(), before: new Map(), harms: [], emptiedWipes: [] }
}

function addTo(
  sum: Findings,
  { topic, partition }: TopicPartition,
  { bringsBack, once, before, harm, emptiedWipes }: StartFinding,
): void {
  if (bringsBack) sum.bringsBack.push({ topic, partition })
  if (once !== null) push(sum.once, once, { topic, partition })
  if (before !== null) push(sum.before, before, { topic, partition })
  if (harm !== null) sum.harms.push({ topic, partition, ...harm })
  if (emptiedWipes) sum.emptiedWipes.push({ topic, partition })
}

function examine(
  evidence: PartitionEvidence,
  broker: number,
  missing: readonly number[],
  context: AdviceContext,
): StartFinding {
  const effects = STOPS.map((stop) => effectOfReturn(evidence, { broker, stop, disk: 'old' }, context))
  const harm = effects.find((effect) => effect.kind === 'leads' && isHarmful(effect, evidence))
  const led = effects.find((effect) => effect.kind === 'leads' && !isHarmful(effect, evidence))
  const last = lastLeader(evidence.state)
  const leads = led?.kind === 'leads'
  const lacksLastLeader = leads && led.holds === 'unknown' && last !== null && last !== broker && missing.includes(last)
  const alone = led !== undefined || harm !== undefined
  const helper = alone
    ? undefined
    : missing.find((other) => other !== broker && leadsTogether(evidence, other, broker, context))
  const emptiedWipes = STOPS.some((stop) => {
    const effect = effectOfReturn(evidence, { broker, stop, disk: 'emptied' }, context)
    return effect.kind === 'leads' && effect.broker === broker && isHarmful(effect, evidence)
  })
  const bringsBack = leads && !lacksLastLeader
  const once = helper ?? null
  const before = lacksLastLeader ? last : null
  const harmful = harm?.kind === 'leads' ? { leader: harm.broker, wipes: harm.mayLose } : null
  const about = `${broker} ${bringsBack} ${once} ${before} ${emptiedWipes} ${harmful?.leader} ${harmful?.wipes.join()}`
  return shared.of(about, () => ({ broker, bringsBack, once, before, harm: harmful, emptiedWipes }))
}

/** The second one's return brings a leader with the first one up, where neither does alone. */
function leadsTogether(evidence: PartitionEvidence, first: number, second: number, context: AdviceContext): boolean {
  return STOPS.some((stop) => {
    if (effectOfReturn(evidence, { broker: first, stop, disk: 'old' }, context).kind !== 'staysOffline') return false
    const state = stateAfterReturn(evidence.state, { broker: first, stop })
    const brokers = new Map([...context.brokers, [first, 'up' as const]])
    return STOPS.some((secondStop) => {
      const effect: LeaderEffect = effectOfReturn(
        { ...evidence, state },
        { broker: second, stop: secondStop, disk: 'old' },
        { ...context, brokers },
      )
      return effect.kind === 'leads' && !isHarmful(effect, evidence)
    })
  })
}

function push(map: Map<number, TopicPartition[]>, broker: number, partition: TopicPartition): void {
  const partitions = map.get(broker)
  if (partitions) partitions.push(partition)
  else map.set(broker, [partition])
}

function byBroker(
  map: ReadonlyMap<number, readonly TopicPartition[]>,
): { readonly broker: number; readonly partitions: readonly TopicPartition[] }[] {
  return [...map].sort(([a], [b]) => a - b).map(([broker, partitions]) => ({ broker, partitions }))
}

/**
 * First whoever would lead nothing with less than a broker still missing holds, and harms nothing; among those, who brings
 * back most. Where each of those left would, the one that would do so least.
 */
function inStartOrder(found: ReadonlyMap<number, Findings>): [number, Findings][] {
  const left = new Map(found)
  const ordered: [number, Findings][] = []
  const premature = ({ before, harms }: Findings): number => {
    let count = harms.length
    for (const [broker, partitions] of before) if (left.has(broker)) count += partitions.length
    return count
  }
  while (left.size > 0) {
    const [next] = [...left].sort(
      ([a, one], [b, other]) =>
        premature(one) - premature(other) || other.bringsBack.length - one.bringsBack.length || a - b,
    )
    if (next === undefined) break
    left.delete(next[0])
    ordered.push(next)
  }
  return ordered
}
