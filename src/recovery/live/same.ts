import type { TopicConfig } from '../../cluster/snapshot.js'

export function sameConfig(a: TopicConfig | undefined, b: TopicConfig | undefined): boolean {
  return (
    a?.minInsyncReplicas === b?.minInsyncReplicas &&
    a?.uncleanLeaderElection === b?.uncleanLeaderElection &&
    a?.cleanupPolicy === b?.cleanupPolicy &&
    a?.remoteStorage === b?.remoteStorage
  )
}
