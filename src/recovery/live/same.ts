import type { TopicConfig } from '../../cluster/snapshot.js'

export function sameConfig(a: TopicConfig | undefined, b: TopicConfig | undefined): boolean {
  return (
    a?.minInsyncReplicas === b?.minInsyncReplicas &&
    a?.uncleanLeaderElection === b?.uncleanLeaderElection &&
    a?.cleanupPolicy === b?.cleanupPolicy &&
    a?.remoteStorage === b?.remoteStorage
  )
}

export function sameMembers<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((member) => b.has(member))
}
