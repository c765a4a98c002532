import type { ClusterSnapshot, LogDir, TopicPartition } from '../cluster/snapshot.js'
import { partitionName, sameTopic } from '../cluster/snapshot.js'
import { noteSeen, replicasOffDisk, type SeenCluster } from './seen-placements.js'

/**
 * How a directory stands. Cases that look alike are told apart:
 * online: as it should be, `cordoned` or not (then it takes no new replicas, and nothing is wrong). failed: its broker reports it offline
 * (error 56); that need not be the disk. answersError: its broker answers another error for it (seen when the directory was moved away).
 * missing: its broker answers, without it. brokerDown, brokerFenced: its broker cannot be asked. notAllowed: we may not ask.
 * notTold: it was not told for another reason.
 */
export type DirectoryStanding =
  | { readonly kind: 'online'; readonly cordoned: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'answersError'; readonly error: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'brokerDown' }
  | { readonly kind: 'notAllowed'; readonly reason: string }
  | { readonly kind: 'notTold'; readonly reason: string }

export interface DiagnosedDirectory {
  readonly broker: number
  /** Null: which directories the broker has is not known at all. */
  readonly path: string | null
  readonly standing: DirectoryStanding
  /** As told; null: it was not. */
  readonly dir: LogDir | null
  /** When it was last seen as good; null: never, or now. */
  readonly seenGoodAt: Date | null
  /** Partitions that this broker still leads from a failed directory, though the metadata calls nothing offline. */
  readonly ledFromFailed: readonly TopicPartition[]
  /** Replicas that were made anew, near-empty, here: they were in another directory of this broker, or on another disk, before. */
  readonly madeAnew: readonly (TopicPartition & { readonly from: string })[]
}

/**
 * Every log directory that is told of or remembered, each with how it stands; by broker, then path. A broker of which nothing is
 * known has one entry without a path. `seen`: what was kept before this reading. Pure.
 */
export function diagnoseDirectories(snapshot: ClusterSnapshot, seen: SeenCluster): DiagnosedDirectory[] {
  const found: DiagnosedDirectory[] = []
  // With what this reading itself shows: a directory that is gone, or was emptied while nobody looked.
  const noted = noteSeen(seen, snapshot)
  for (const { id: broker, state } of snapshot.brokers) {
    const told = (snapshot.logDirs ?? []).filter((dir) => dir.broker === broker)
    const silent = state === 'down' ? ({ kind: 'brokerDown' } as const) : whyNotTold(broker, told, snapshot)
    const off = told.some(({ state }) => state !== 'online') && state === 'up' ? replicasOffDisk(broker, snapshot) : []
    const failedDirs = told.filter((dir) => dir.state !== 'online')
    for (const dir of told) {
      found.push({
        broker,
        path: dir.path,
        standing: standingOf(dir),
        dir,
        seenGoodAt: dir.state === 'online' ? null : seenGoodAt(seen, broker, dir.path),
        // Which of several failed ones it is makes no difference to what has to be done: named with the first.
        ledFromFailed:
          dir === failedDirs[0]
            ? off.flatMap(({ topic, partition, leader, offlineReplicas }) =>
                leader === broker && !offlineReplicas.includes(broker) ? [{ topic, partition }] : [],
              )
            : [],
        madeAnew: dir.state === 'online' ? madeAnewIn(dir, told, snapshot, noted) : [],
      })
    }
    const paths = new Set(told.map(({ path }) => path))
    const remembered = new Set([
      ...seen.directories.flatMap((dir) => (dir.broker === broker ? dir.path : [])),
      ...(silent === null ? [] : (seen.brokers.find((one) => one.broker === broker)?.logDirs ?? [])),
    ])
    for (const path of [...remembered].filter((path) => !paths.has(path)).sort()) {
      found.push(notThere(broker, path, silent ?? { kind: 'missing' }, seenGoodAt(seen, broker, path)))
    }
    if (silent !== null && remembered.size === 0) found.push(notThere(broker, null, silent, null))
  }
  return found.sort(
    (a, b) => a.broker - b.broker || ((a.path ?? '') < (b.path ?? '') ? -1 : (a.path ?? '') > (b.path ?? '') ? 1 : 0),
  )
}

function notThere(
  broker: number,
  path: string | null,
  standing: DirectoryStanding,
  seenAt: Date | null,
): DiagnosedDirectory {
  return { broker, path, standing, dir: null, seenGoodAt: seenAt, ledFromFailed: [], madeAnew: [] }
}

/** Null: it told. Every broker that answers has at least one directory. */
function whyNotTold(broker: number, told: readonly LogDir[], snapshot: ClusterSnapshot): DirectoryStanding | null {
  if (told.length > 0) return null
  if (snapshot.logDirs === null) return { kind: 'notTold', reason: 'log directories were not asked for' }
  const problems = snapshot.problems.filter((problem) => problem.broker === broker)
  const hidden = problems.find(({ code }) => code === 'permission')
  if (hidden !== undefined) return { kind: 'notAllowed', reason: hidden.text }
  return { kind: 'notTold', reason: problems[0]?.text ?? `broker ${broker} told no log directories` }
}

function standingOf({ state, cordoned, error }: LogDir): DirectoryStanding {
  switch (state) {
    case 'online':
      return { kind: 'online', cordoned }
    case 'offline':
      return { kind: 'failed' }
    case 'unknown':
      return { kind: 'answersError', error: error ?? 'an unknown error' }
  }
}

function seenGoodAt(seen: SeenCluster, broker: number, path: string): Date | null {
  const dir = seen.directories.find((one) => one.broker === broker && one.path === path)
  return dir === undefined || dir.replicas === null ? null : dir.seenAt
}

/** Of the size that it was before at most this much, and not in sync: made anew. */
const NEAR_EMPTY = 0.5

/** Replicas placed here that were lost on another directory of this broker, or on the disk that was here before. */
function madeAnewIn(
  dir: LogDir,
  told: readonly LogDir[],
  snapshot: ClusterSnapshot,
  noted: SeenCluster,
): (TopicPartition & { readonly from: string })[] {
  if (dir.replicas === null || dir.replicas.length === 0) return []
  const online = new Set(told.flatMap(({ path, state }) => (state === 'online' ? path : [])))
  const lost = noted.directories.filter((one) => one.broker === dir.broker && one.lost !== null)
  if (lost.length === 0) return []
  const states = new Map(snapshot.partitions.map((state) => [partitionName(state), state]))
  const here = new Map(dir.replicas.flatMap((one) => (one.isFuture ? [] : [[partitionName(one), one]])))
  return lost.flatMap(({ path, lost: gone }) => {
    // Where the old directory is still failed its replicas cannot have been made anew.
    if (path !== dir.path && told.some((one) => one.path === path) && !online.has(path)) return []
    return (gone?.replicas ?? []).flatMap((earlier) => {
      const { topic, partition, sizeBytes } = earlier
      const placed = here.get(partitionName(earlier))
      const state = states.get(partitionName(earlier))
      if (placed === undefined || state === undefined || !sameTopic(earlier, state.topicId)) return []
      const small = sizeBytes === null ? placed.sizeBytes === 0 : placed.sizeBytes <= sizeBytes * NEAR_EMPTY
      const behind = state.leader === null || !state.isr.includes(dir.broker) || placed.sizeBytes === 0
      return small && behind ? [{ topic, partition, from: path }] : []
    })
  })
}

/** One directory in words: what it is, and what to do first. Neither says more than is known. */
export function standingText({
  broker,
  path,
  standing,
}: Pick<DiagnosedDirectory, 'broker' | 'path' | 'standing'>): string {
  const name = path ?? 'its log directories'
  const stand = path === null ? 'stand' : 'stands'
  switch (standing.kind) {
    case 'online':
      return standing.cordoned
        ? `${name} is online, and cordoned: it takes no new replicas; that is no failure`
        : `${name} is online`
    case 'failed':
      return `broker ${broker} reports ${name} offline: read that broker's log first, it tells why (a full disk, rights, a bad disk)`
    case 'answersError':
      return `broker ${broker} answers ${standing.error} for ${name}: is it still there, and mounted? Read that broker's log first`
    case 'missing':
      return `broker ${broker} does not name ${name} any more: it was taken out of log.dirs`
    case 'brokerDown':
      return `broker ${broker} is down: how ${name} ${stand} cannot be known from here`
    case 'notAllowed':
      return `broker ${broker}: how ${name} ${stand} is hidden from this user: ${standing.reason}`
    case 'notTold':
      return `broker ${broker}: how ${name} ${stand} is not told: ${standing.reason}`
  }
}
