import type { Capabilities } from '../../cluster/cluster.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import type { RefusalReason } from '../refused.js'
import type { MethodChoice } from './plan-recovery.js'

/** Why nothing may be elected, found before anybody is asked to confirm. Without a quorum it is no refusal, but a state of the cluster. */
export interface ElectionRefusal {
  readonly reason: Extract<RefusalReason, 'readOnly'> | 'notAllowed' | 'methodNotNamed' | 'mixedClusters' | 'noQuorum'
  /** One line: what, and what to do. */
  readonly text: string
}

/** What of a cluster, and of how this program was started, forbids every election; null: nothing does. Unfinished journals are looked for apart. */
export function electionRefusal(
  { problems }: Pick<ClusterSnapshot, 'problems'>,
  { method, mayElect }: Pick<Capabilities, 'method' | 'mayElect'>,
  asked: { readonly readOnly: boolean; readonly method: MethodChoice },
): ElectionRefusal | null {
  if (asked.readOnly) {
    return { reason: 'readOnly', text: 'read-only: nothing is elected; run it again without --read-only' }
  }
  if (mayElect === false) {
    return {
      reason: 'notAllowed',
      text: 'not allowed: nothing is elected, this user lacks Alter on the cluster (AlterPartitionReassignments, ElectLeaders); `kafka-recovery check` prints the ACL to add',
    }
  }
  if (method === null && asked.method === 'auto') {
    return {
      reason: 'methodNotNamed',
      text: 'this cluster is in ZooKeeper mode, where nothing is elected unless the method is named: --election-method reorder (or unclean)',
    }
  }
  const mixed = problems.find(({ code }) => code === 'mixedClusters')
  if (mixed !== undefined) return { reason: 'mixedClusters', text: mixed.text }
  const noQuorum = problems.find(({ code }) => code === 'noQuorum')
  return noQuorum === undefined ? null : { reason: 'noQuorum', text: noQuorum.text }
}
