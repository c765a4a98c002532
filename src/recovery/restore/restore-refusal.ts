import type { Capabilities } from '../../cluster/cluster.js'

export const READ_ONLY = 'read-only: nothing is put back; run it again without --read-only'

/** Why orders may not be put back, in one line, found before anybody is asked to confirm; null: nothing is known that forbids it. */
export function restoreRefusal(
  { mayElect }: Pick<Capabilities, 'mayElect'>,
  { readOnly }: { readonly readOnly: boolean },
): string | null {
  if (readOnly) return READ_ONLY
  if (mayElect !== false) return null
  return 'not allowed: nothing is put back, this user lacks Alter on the cluster (AlterPartitionReassignments); `kafka-recovery check` prints the ACL to add, the journals stay as they are'
}
