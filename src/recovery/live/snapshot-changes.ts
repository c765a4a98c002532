import type { ClusterSnapshot, TopicPartition } from '../../cluster/snapshot.js'
import type { DiagnosisChanges } from '../diagnosis/diagnosis.js'
import type { Merged, Tracked } from './tracked.js'

export const NO_CHANGES: DiagnosisChanges = { appeared: [], gotLeader: [], vanished: [], regrouped: [] }

/** Which partitions went offline, and what became of those that are offline no more. */
export function changesOf({ appeared, left }: Pick<Merged, 'appeared' | 'left'>): DiagnosisChanges {
  if (appeared.length + left.length === 0) return NO_CHANGES
  const nameOf = ({ entry: { topic, partition } }: Tracked): TopicPartition => ({ topic, partition })
  const gotLeader: (TopicPartition & { readonly leader: number })[] = []
  const vanished: TopicPartition[] = []
  for (const { tracked, now } of left) {
    const leader = now?.leader ?? null
    if (leader === null) vanished.push(nameOf(tracked))
    else gotLeader.push({ ...nameOf(tracked), leader })
  }
  return { appeared: appeared.map(nameOf), gotLeader, vanished, regrouped: [] }
}

/** What the overview tells of beside offline partitions and brokers is as it was. */
export function sameSurroundings(a: ClusterSnapshot, b: ClusterSnapshot): boolean {
  const quorum = ({ problems }: ClusterSnapshot) =>
    problems.flatMap(({ code, text }) => (code === 'noQuorum' ? [text] : [])).join('\n')
  const failed = ({ logDirs }: ClusterSnapshot) => (logDirs ?? []).filter(({ state }) => state === 'offline').length
  return a.partitions.length === b.partitions.length && quorum(a) === quorum(b) && failed(a) === failed(b)
}
