import type { AssignmentOrder } from '../../cluster/cluster.js'
import { groupByTopic } from '../../cluster/partitions-by-topic.js'
import type { TopicPartition } from '../../cluster/snapshot.js'
import type { PlannedPartition, RecoveryPlan } from '../planning/plan.js'
import { MAX_BATCH } from './ports.js'
import { sameOrder } from './put-back-guard.js'

/** To whom the writing requests go, and in which versions, as the connection would choose. */
export interface RequestTarget {
  /** For people: "broker 2 (forwards to the controller)". */
  readonly to: string
  readonly alterVersion: number
  readonly electVersion: number
}

interface PreviewedAlter {
  readonly api: 'AlterPartitionReassignments'
  readonly purpose: 're-order' | 'put back'
  readonly version: number
  readonly to: string
  readonly batch: number
  readonly timeoutMs: number
  /** Null: version 0 has no such field. */
  readonly allowReplicationFactorChange: false | null
  readonly orders: readonly AssignmentOrder[]
}

interface PreviewedElection {
  readonly api: 'ElectLeaders'
  readonly purpose: 'elect'
  readonly version: number
  readonly to: string
  readonly batch: number
  readonly timeoutMs: number
  /** 1 unclean, 2 designated (KIP-1275's draft). */
  readonly electionType: 1 | 2
  readonly partitions: readonly (TopicPartition & { readonly designatedLeader: number | null })[]
}

export type PreviewedRequest = PreviewedAlter | PreviewedElection

/**
 * Every writing request that carrying this plan out would send, in that order, if nothing changes and nothing fails. Each is
 * preceded by reads, which may drop partitions from it; a failed election may be sent again. Pure.
 */
export function previewRequests(
  { partitions }: Pick<RecoveryPlan, 'partitions'>,
  target: RequestTarget,
  { batchSize = MAX_BATCH, timeoutMs }: { readonly batchSize?: number; readonly timeoutMs: number },
): PreviewedRequest[] {
  const requests: PreviewedRequest[] = []
  for (let from = 0, batch = 1; from < partitions.length; from += batchSize, batch += 1) {
    const some = partitions.slice(from, from + batchSize)
    const reordered = some.filter(
      ({ method, electionOrder, evidence }) =>
        method === 'reorder' && !sameOrder(electionOrder, evidence.state.replicas),
    )
    const alter = (
      purpose: PreviewedAlter['purpose'],
      replicasOf: (planned: PlannedPartition) => readonly number[],
    ) => {
      if (reordered.length === 0) return
      requests.push({
        api: 'AlterPartitionReassignments',
        purpose,
        version: target.alterVersion,
        to: target.to,
        batch,
        timeoutMs,
        allowReplicationFactorChange: target.alterVersion >= 1 ? false : null,
        orders: reordered.map((planned) => ({
          topic: planned.topic,
          partition: planned.partition,
          replicas: replicasOf(planned),
        })),
      })
    }
    alter('re-order', ({ electionOrder }) => electionOrder)
    for (const electionType of [1, 2] as const) {
      const named = some.filter(({ method }) => (method === 'designated') === (electionType === 2))
      if (named.length === 0) continue
      requests.push({
        api: 'ElectLeaders',
        purpose: 'elect',
        version: target.electVersion,
        to: target.to,
        batch,
        timeoutMs,
        electionType,
        partitions: named.map(({ topic, partition, designatedLeader }) => ({
          topic,
          partition,
          designatedLeader: electionType === 2 ? designatedLeader : null,
        })),
      })
    }
    alter('put back', ({ evidence }) => evidence.state.replicas)
  }
  return requests
}

/** A request in words: what, to whom, then one line for each topic. Names from the cluster are not escaped here. */
export function requestLines(request: PreviewedRequest): string[] {
  const head = `${request.api} v${request.version} to ${request.to} (${request.purpose})`
  if (request.api === 'ElectLeaders') {
    const type = request.electionType === 1 ? 'UNCLEAN (1)' : 'DESIGNATED (2)'
    const topics = [...groupByTopic(request.partitions)].map(([topic, group]) => {
      const leaders = group.some(({ designatedLeader }) => designatedLeader !== null)
        ? `, designated leaders ${group.map(({ designatedLeader }) => designatedLeader).join(', ')}`
        : ''
      return `  ${topic}: partitions ${group.map(({ partition }) => partition).join(', ')}${leaders}`
    })
    return [`${head}: election type ${type}, timeout ${request.timeoutMs} ms`, ...topics]
  }
  const allow = request.allowReplicationFactorChange === null ? '' : ', AllowReplicationFactorChange false'
  const topics = [...groupByTopic(request.orders)].map(
    ([topic, group]) =>
      `  ${topic}: ${group.map(({ partition, replicas }) => `${partition} to [${replicas.join(', ')}]`).join(', ')}`,
  )
  return [`${head}: timeout ${request.timeoutMs} ms${allow}`, ...topics]
}
