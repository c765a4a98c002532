import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { INTERNAL_TOPICS } from '../../cluster/snapshot.js'
import { brokerList, count, offsetsText } from '../../text/wording.js'
import type { Doubt } from './left-to-operator.js'
import type { AcceptableCode, Loss, Warning } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import type { Ranking } from './rank.js'
import { SharedParts, sharedText } from './shared-parts.js'

export interface Planned {
  readonly chosen: ReplicaLog
  readonly evidence: PartitionEvidence
  readonly ranking: Ranking
  readonly loss: Loss
  readonly committedAtLeast: number
  readonly kafkaWouldElect: number | null
  readonly overruled: readonly Doubt[]
  /** Accepted by its code; else it was overruled by a choice by hand. */
  readonly acceptedByCode: (code: AcceptableCode) => boolean
}

/** What is planned all the same, but must be said. The gravest first. */
export function warningsOf(planned: Planned, context: PlanningContext): readonly Warning[] {
  const warnings = [
    ...planned.overruled.map(
      ({ code, reason }): Warning =>
        planned.acceptedByCode(code)
          ? { code: 'accepted', text: `${code} was accepted: ${reason}`, overruled: code }
          : { code: 'accepted', text: `chosen by hand, overrides ${code}: ${reason}`, overruled: code, byHand: true },
    ),
    ...betterMissing(planned),
    ...committedLoss(planned),
    ...lossWarning(planned),
    ...late(planned),
    ...longestNotFirst(planned),
    ...aboutTheTopic(planned, context),
  ]
  return shared.list(
    warnings.map((warning) => {
      const { code, text, overruled, byHand } = warning
      return shared.of(`${code} ${overruled ?? ''} ${byHand ?? ''} ${text}`, () => ({
        ...warning,
        text: sharedText(text),
      }))
    }),
  )
}

const shared = new SharedParts<Warning>()

function betterMissing({ evidence, ranking }: Planned): Warning[] {
  const { isr, elr, lastKnownElr, replicas } = evidence.state
  const roles = [...isr, ...(elr ?? []), ...(lastKnownElr ?? [])]
  const missing = replicas.filter((id) => roles.includes(id) && !ranking.eligible.some(({ broker }) => broker === id))
  if (missing.length === 0) return []
  const verb = missing.length === 1 ? 'was not read and probably holds' : 'were not read and probably hold'
  return [{ code: 'betterMissing', text: `${brokerList(missing)} ${verb} more: in ISR, ELR or last known ELR` }]
}

function committedLoss({ committedAtLeast }: Planned): Warning[] {
  if (committedAtLeast === 0) return []
  return [{ code: 'committedLoss', text: `committed data is lost: at least ${offsetsText(committedAtLeast)}` }]
}

function lossWarning({ loss }: Planned): Warning[] {
  const unknown = loss.perReplica.filter(({ offsets }) => offsets === null).map(({ broker }) => broker)
  const parts: string[] = []
  if (loss.atLeast > 0) {
    const losers = loss.perReplica.filter(({ offsets }) => offsets !== null && offsets > 0)
    const each = losers.map(({ broker, offsets }) => `broker ${broker}: ${offsets === null ? '?' : count(offsets)}`)
    parts.push(`lost: at least ${offsetsText(loss.atLeast)} (${each.join(', ')})`)
  }
  if (unknown.length > 0) {
    parts.push(`what ${brokerList(unknown)} would lose is unknown: logs without leader epochs cannot be compared`)
  }
  return parts.length === 0 ? [] : [{ code: 'loss', text: parts.join('; ') }]
}

function late({ evidence }: Planned): Warning[] {
  return evidence.replicas.flatMap((replica): Warning[] =>
    replica.kind === 'notRead' && replica.cause === 'late'
      ? [{ code: 'late', text: `no candidate, since it answered too late: ${replica.reason}` }]
      : [],
  )
}

function longestNotFirst({ chosen, ranking }: Planned): Warning[] {
  const [longest] = ranking.eligible
    .filter(({ logEndOffset }) => logEndOffset > chosen.logEndOffset)
    .sort((a, b) => b.logEndOffset - a.logEndOffset)
  if (longest === undefined) return []
  const epoch = longest.lastWrittenEpoch.kind === 'epoch' ? `epoch ${longest.lastWrittenEpoch.epoch}` : 'epoch unknown'
  return [
    {
      code: 'longestNotFirst',
      text: `the longest log is on broker ${longest.broker}: it ends at ${count(longest.logEndOffset)} (${epoch}), that of broker ${chosen.broker} at ${count(chosen.logEndOffset)}`,
    },
  ]
}

function aboutTheTopic({ evidence, kafkaWouldElect }: Planned, context: PlanningContext): Warning[] {
  const { topic } = evidence.state
  const warnings: Warning[] = []
  if (context.internalTopics.has(topic) || INTERNAL_TOPICS.has(topic)) {
    warnings.push({ code: 'internalTopic', text: `${topic} is an internal topic: its loss reaches beyond its records` })
  }
  const config = context.topicConfigs.get(topic)
  if (config?.remoteStorage) {
    warnings.push({
      code: 'tiered',
      text: 'tiered storage: what lies in remote storage is not compared, only local logs are',
    })
  }
  if (config?.cleanupPolicy?.includes('compact')) {
    warnings.push({
      code: 'compacted',
      text: 'compacted: offsets are not records, a replica may lack records that another has cleaned',
    })
  }
  if (config?.uncleanLeaderElection) {
    const whom = kafkaWouldElect === null ? '' : `: it would take broker ${kafkaWouldElect}`
    warnings.push({
      code: 'uncleanEnabled',
      text: `unclean.leader.election.enable is on: Kafka elects by itself at any moment${whom}`,
    })
  }
  return warnings
}
