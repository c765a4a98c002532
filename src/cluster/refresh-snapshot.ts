import { TransportError } from '../protocol/transport/transport-error.js'
import { readLogDirs } from './read-log-dirs.js'
import { readPartitions } from './read-partitions.js'
import { keepSame, sameMembers } from './same-reads.js'
import type { ClusterSession } from './session.js'
import { eachInSlices, sharedSlices } from './slices.js'
import type { ClusterSnapshot, LogDir, PartitionState, ReadProblem } from './snapshot.js'

/** A snapshot brought up to date in part. */
export interface RefreshedSnapshot {
  readonly snapshot: ClusterSnapshot
  /**
   * Something outside of what was read must have changed too: a broker came or went, a log directory failed or came back, a
   * partition was deleted. Only reading everything again tells what.
   */
  readonly fullReadNeeded: boolean
}

/**
 * Reads again what is wrong in `previous`, and no more: the topics that have a partition without a leader, which brokers are
 * up, and the state of their log directories. A sick cluster is not to be loaded.
 * @throws NoBrokerReachableError, TransportError, ClusterChangedError
 */
export async function refreshSnapshot(session: ClusterSession, previous: ClusterSnapshot): Promise<RefreshedSnapshot> {
  const offlineTopics = new Set<string>()
  for (const { leader, topic } of previous.partitions) if (leader === null) offlineTopics.add(topic)
  const wanted = previous.partitions.filter(({ topic }) => offlineTopics.has(topic))
  const [read, logDirs] = await Promise.all([
    readPartitions(session, wanted),
    previous.logDirs === null ? null : refreshLogDirs(session, previous, previous.logDirs),
  ])
  const partitions = await keepSame(previous.partitions, await withRead(previous.partitions, read.found))
  const wasUp = new Set(previous.brokers.filter(({ state }) => state === 'up').map(({ id }) => id))
  return {
    snapshot: {
      ...previous,
      partitions,
      logDirs: logDirs?.logDirs ?? previous.logDirs,
      problems: [...previous.problems, ...(logDirs?.problems ?? [])],
      readAt: new Date(),
    },
    fullReadNeeded: read.missing.length > 0 || !sameMembers(wasUp, read.brokersUp) || logDirs?.changed === true,
  }
}

/** `found` has part of the partitions, in their order. */
async function withRead(
  partitions: readonly PartitionState[],
  found: readonly PartitionState[],
): Promise<readonly PartitionState[]> {
  const merged: PartitionState[] = []
  let next = 0
  await eachInSlices(partitions, sharedSlices, 256, (state) => {
    const read = found[next]
    const isRead = read?.topic === state.topic && read.partition === state.partition
    if (isRead) next += 1
    merged.push(isRead ? read : state)
  })
  return merged
}

/** A broker whose disks are well tells their state within a few ms: whoever takes longer must not hold up the rest. ms */
const SMALL_READ_MS = 3_000

async function refreshLogDirs(
  session: ClusterSession,
  previous: ClusterSnapshot,
  known: readonly LogDir[],
): Promise<{ logDirs: readonly LogDir[]; changed: boolean; problems: readonly ReadProblem[] }> {
  const told = new Set(known.map(({ broker }) => broker))
  // Said of brokers alone whose directories could not be read.
  for (const { code, broker } of previous.problems) if (code === 'unreadable' && broker !== null) told.delete(broker)
  const problems: ReadProblem[] = []
  const states = new Map<string, LogDir>()
  await Promise.all(
    previous.brokers.map(async ({ id, state }) => {
      const link = session.connections.link(id)
      if (state !== 'up' || link === null || !told.has(id)) return
      try {
        // No topics are named: directories and their errors come back, without their replicas.
        const timeoutMs = Math.min(SMALL_READ_MS, session.requestTimeoutMs)
        const read = await readLogDirs(link, id, [], false, timeoutMs)
        if (read.kind === 'read') for (const dir of read.logDirs) states.set(`${id} ${dir.path}`, dir)
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        // A broken connection is a broker that was restarted, maybe: the next refresh asks it again.
        if (error.failure !== 'timeout') return
        // A disk that hangs holds its broker's threads: it is not asked again before everything is, and shown as it was.
        problems.push({
          code: 'unreadable',
          broker: id,
          text: `broker ${id}: ${error.message}; its log directories are shown as they were`,
        })
      }
    }),
  )
  let changed = false
  const logDirs = known.map((dir): LogDir => {
    const now = states.get(`${dir.broker} ${dir.path}`)
    if (now === undefined) return dir
    if (now.state !== dir.state) changed = true
    const online = now.state === 'online'
    return { ...now, replicaCount: online ? dir.replicaCount : null, replicas: online ? dir.replicas : null }
  })
  return { logDirs, problems, changed: changed || states.size > known.filter(({ broker }) => told.has(broker)).length }
}
