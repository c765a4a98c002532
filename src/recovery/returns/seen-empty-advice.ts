import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { count } from '../../text/wording.js'
import type { SeenEmpty } from './seen-empty.js'
import type { Situation } from './situation.js'

/** What of a partition without a leader decides what has to come before a start. */
export type Outlook = Pick<Situation, 'nobodyAlive' | 'onlyEmpty' | 'notRead'>

/** Its disk is known not to be the old one: that comes before everything else that could be said of it. */
export function seenEmptyText({ broker, seenAt, partitions }: SeenEmpty, outlook: Outlook): string {
  const when = seenAt.toISOString().slice(0, 19).replace('T', ' ')
  const many = `${count(partitions.length)} ${partitions.length === 1 ? 'partition that has' : 'partitions that have'}`
  return `Do NOT start broker ${broker}: at ${when} UTC it was up with an EMPTY log of ${many} no leader yet. ${electFirst(partitions, outlook)}; then start it, and it refills as a follower.`
}

/** Electing comes first only where somebody alive can be elected; elsewhere other replicas have to be back first. */
export function electFirst(
  partitions: readonly TopicPartition[],
  { nobodyAlive, onlyEmpty, notRead }: Outlook,
): string {
  const names = partitions.map(partitionName)
  const hopeless = names.filter((name) => nobodyAlive.has(name) || onlyEmpty.has(name)).length
  const electable = names.length - hopeless
  const others = 'start other brokers that hold them, with old disks'
  if (electable === 0) return `First ${others}`
  const asFarAs = names.some((name) => notRead.has(name)) ? ' (as far as plan finds a leader)' : ''
  if (hopeless > 0) {
    return `First elect ${count(electable)} of them${asFarAs}; for the other ${count(hopeless)} first ${others}`
  }
  return `${electable === 1 ? 'Elect this one first' : `Elect these ${count(electable)} first`}${asFarAs}`
}
