import type { Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type BrokerState, type ClusterSnapshot, partitionName, type TopicConfig } from '../../cluster/snapshot.js'
import { isEmptyLog } from '../../recovery/planning/rank.js'
import { type SeenEmpty, type SeenEmptyStorage, seenEmptyNow } from '../../recovery/returns/seen-empty.js'
import type { Situation } from '../../recovery/returns/situation.js'
import { readSituation } from '../../recovery/use-cases/read-situation.js'
import { errorText } from '../../text/error-text.js'
import { type AffectedPartition, affectedPartitions } from '../affected-partitions.js'
import { type DiagnosedDirectory, diagnoseDirectories } from '../diagnosis.js'
import { type Gate, gateOf } from '../gate.js'
import { type HeldPartitions, heldPartitions } from '../held-partitions.js'
import { type RestartImpact, restartImpact } from '../impact.js'
import { type OtherFailed, otherFailed } from '../other-failed.js'
import { phaseOf, type RepairPhase, showsEmptied } from '../phase.js'
import { type ReturnProgress, returnProgress } from '../progress.js'
import { stillEmptied } from '../seen-emptied.js'
import { seenEmptyUnplaced, withSeenEmpty } from '../seen-empty-held.js'
import {
  findSeen,
  noteSeen,
  type SeenBroker,
  type SeenCluster,
  type SeenPlacementsStorage,
} from '../seen-placements.js'
import { type MaybeWiped, maybeWiped } from '../wiped.js'

/** Everything that is known of one directory's repair, at one moment. */
export interface RepairReading {
  readonly broker: number
  readonly path: string
  readonly snapshot: ClusterSnapshot
  readonly brokerState: BrokerState
  readonly host: string | null
  readonly directory: DiagnosedDirectory
  /** All directories of that broker. */
  readonly directories: readonly DiagnosedDirectory[]
  readonly phase: RepairPhase
  readonly held: HeldPartitions
  readonly affected: readonly AffectedPartition[]
  readonly impact: RestartImpact
  readonly gate: Gate
  readonly wiped: readonly MaybeWiped[]
  readonly progress: ReturnProgress
  readonly situation: Situation
  /** The broker's other directories that failed too. */
  readonly otherFailed: readonly OtherFailed[]
  /** When it was first seen up with emptied replicas of the directory: its disk is not the old one any more. Null: it was not. */
  readonly seenEmptiedAt: Date | null
  readonly mode: 'kraft' | 'zookeeper' | 'unknown'
  /** As told now, or as it was seen before. Null: neither. */
  readonly config: SeenBroker | null
  /** What could not be read or kept, one line each. */
  readonly problems: readonly string[]
}

export interface RepairTarget {
  readonly broker: number
  readonly path: string
}

export interface RepairOptions {
  /** How long logs may take. ms */
  readonly durationMs: number
  /** partitionName of those that the operator gives up. */
  readonly writtenOff: ReadonlySet<string>
  readonly placements: SeenPlacementsStorage
  readonly memory?: SeenEmptyStorage
  /**
   * Which replicas lie where is noted of the other brokers, too. False where somebody else does that, and this is read again and again: on a large
   * cluster it is most of what is read. Default: true.
   */
  readonly otherBrokers?: boolean
  /** For rates. */
  readonly previous?: ReturnProgress
}

/** The broker, or the directory, is none of this cluster. One line that names those there are. */
export class NoSuchDirectoryError extends Error {
  override readonly name = 'NoSuchDirectoryError'
}

/** Logs are read of so many partitions of one directory at most; of the rest what the metadata tells has to do. */
const LOGS_READ = 20_000

/** Reads all that a repair depends on, and notes what was seen for when nobody can tell any more. Sends nothing that writes. */
export async function readRepair(
  cluster: Cluster,
  { broker, path }: RepairTarget,
  options: RepairOptions,
): Promise<RepairReading> {
  const problems: string[] = []
  const [snapshot, capabilities, told] = await Promise.all([
    readCluster(cluster, broker, options.otherBrokers ?? true),
    cluster.capabilities(),
    cluster.brokerConfig(broker),
  ])
  const found = snapshot.brokers.find(({ id }) => id === broker)
  if (found === undefined) {
    const ids = snapshot.brokers.map(({ id }) => id).join(', ')
    throw new NoSuchDirectoryError(`the cluster has no broker ${broker}; its brokers: ${ids}`)
  }
  const before = await options.placements.load(snapshot.clusterId).catch((error: unknown): SeenCluster => {
    problems.push(`what was seen before cannot be read: ${errorText(error)}`)
    return { brokers: [], directories: [] }
  })
  const config = configOf(broker, told, before, snapshot.readAt, problems)
  const directories = diagnoseDirectories(snapshot, before).filter((dir) => dir.broker === broker)
  const directory = directoryOf(broker, path, directories)
  const paths = new Set([path, ...directories.flatMap((dir) => dir.path ?? [])])
  const remembered = (await options.memory?.load(snapshot.clusterId).catch(() => [])) ?? []
  const { held, heldIn, unplaced } = heldOf({ broker, path }, paths, snapshot, before, remembered)
  const evidences = await readHeldLogs(cluster, broker, held, options.durationMs, problems)
  const situation = await readSituation(cluster, snapshot, {
    durationMs: options.durationMs,
    known: evidences.filter(({ state }) => state.leader === null),
    ...(options.memory ? { memory: options.memory } : {}),
  })
  const topicConfigs = await readConfigs(cluster, broker, snapshot, problems)
  const context = { brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])), topicConfigs }
  const affected = affectedPartitions(broker, held, evidences, context.brokers)
  const impact = restartImpact({ broker, path, snapshot, affected, topicConfigs, config })
  const { alarms } = situation
  const { writtenOff } = options
  const gate = gateOf({
    broker,
    held,
    affected,
    partitions: snapshot.partitions,
    context,
    alarms,
    writtenOff,
    noGoAhead: impact.noGoAhead,
  })
  const wiped = maybeWiped(affected, context.brokers).filter((one) => !writtenOff.has(partitionName(one)))
  const progress = returnProgress(broker, path, snapshot, held, evidences, options.previous ?? null, writtenOff)
  const brokerState = found.state
  // Logs take seconds to be read: what somebody else noted meanwhile stays.
  const latest = await options.placements.load(snapshot.clusterId).catch(() => before)
  const notedBefore = findSeen(latest, broker, path) ?? findSeen(before, broker, path)
  const withRecords = withRecordsOn(broker, evidences)
  // By this reading, whether or not it can be kept.
  const seenEmpty = seenEmptyNow(
    remembered,
    alarms,
    snapshot,
    (on, one) => on === broker && withRecords.has(partitionName(one)),
    snapshot.readAt,
  )
  const mayBeEmptied = [...seenEmpty, ...alarms].some((one) => one.broker === broker)
  // Its other directories, too: one start brings all of them back. Most often none, and then what they hold is not worked out.
  const fresh = [...(mayBeEmptied ? paths : [])].filter((one) =>
    showsEmptied(broker, heldIn(one), alarms, seenEmpty, unplaced),
  )
  const emptied =
    fresh.includes(path) ||
    (notedBefore?.emptiedAt != null &&
      stillEmptied(broker, brokerState, held.partitions, { withRecords, writtenOff, emptiedOf: notedBefore.emptiedOf }))
  // The repair's own note begins with its first reading; it may have been seen long before.
  const seenAt = [remembered.find((one) => one.broker === broker)?.seenAt, notedBefore?.emptiedAt, snapshot.readAt]
  const firstSeen = new Date(Math.min(...seenAt.flatMap((at) => at?.getTime() ?? [])))
  const seenEmptiedAt = emptied ? firstSeen : null
  const phase = phaseOf({ broker, brokerState, standing: directory.standing, held, alarms, wiped, progress, emptied })
  const after = noteSeen(latest, options.otherBrokers === false ? onlyOf(broker, snapshot) : snapshot, {
    logEnds: logEndsOf(broker, evidences),
    brokers: told.kind === 'read' && config !== null ? [config] : [],
    writtenOff,
    emptied: fresh.map((one) => ({ broker, path: one })),
    withRecords,
  })
  await options.placements.save(snapshot.clusterId, after).catch((error: unknown) => {
    problems.push(
      `what was seen of the directories cannot be kept: ${errorText(error)}. Once broker ${broker} is stopped nobody can tell which partitions were in ${path}: set KAFKA_RECOVERY_HOME to a folder that can be written, or save this output`,
    )
  })
  return {
    broker,
    path,
    snapshot,
    brokerState,
    host: found.host,
    directory,
    directories,
    phase,
    held,
    affected,
    impact,
    gate,
    wiped,
    progress,
    situation,
    otherFailed: otherFailed(
      path,
      directories,
      snapshot,
      before,
      { broker, context, writtenOff },
      emptiedOf(broker, after),
    ),
    seenEmptiedAt,
    mode: capabilities.mode,
    config,
    problems,
  }
}

/** Which replicas lie in which directory: of that broker, at least. */
async function readCluster(cluster: Cluster, broker: number, otherBrokers: boolean): Promise<ClusterSnapshot> {
  const rest = { logDirs: true, elr: true, configs: true, quorum: true }
  const snapshot = await cluster.snapshot({ ...rest, placements: otherBrokers })
  // Only one that told its directories is asked: the snapshot has looked who answers there.
  if (otherBrokers || snapshot.logDirs?.some((dir) => dir.broker === broker) !== true) return snapshot
  const read = await cluster.directories(broker).catch(() => null)
  if (read?.kind !== 'read') return snapshot
  const others = snapshot.logDirs.filter((dir) => dir.broker !== broker)
  return { ...snapshot, logDirs: [...others, ...read.logDirs] }
}

/** What was not read whole of the others must not look as if it had been. */
function onlyOf(broker: number, snapshot: ClusterSnapshot): ClusterSnapshot {
  return { ...snapshot, logDirs: snapshot.logDirs?.filter((dir) => dir.broker === broker) ?? null }
}

function configOf(
  broker: number,
  told: Awaited<ReturnType<Cluster['brokerConfig']>>,
  before: SeenCluster,
  now: Date,
  problems: string[],
): SeenBroker | null {
  if (told.kind === 'read') return { broker, seenAt: now, ...told.config }
  const seen = before.brokers.find((one) => one.broker === broker) ?? null
  if (seen === null) {
    problems.push(
      `${told.text}. Whether it is a controller, or the directory holds its metadata log, is not known either`,
    )
  }
  return seen
}

function directoryOf(broker: number, path: string, directories: readonly DiagnosedDirectory[]): DiagnosedDirectory {
  const found = directories.find((dir) => dir.path === path)
  if (found !== undefined) return found
  // Nothing is known of a broker that cannot be asked: the path may be right.
  const unknown = directories.find((dir) => dir.path === null)
  if (unknown !== undefined) return { ...unknown, path }
  const silent = directories.find(({ standing }) => standing.kind === 'brokerDown' || standing.kind === 'notAllowed')
  const paths = directories.map((dir) => dir.path ?? '').join(', ')
  const when = silent === undefined ? '' : ' when it was seen last'
  throw new NoSuchDirectoryError(`broker ${broker} has no log directory ${path}${when}; it has: ${paths}`)
}

/** What the directory holds or held, with what was seen empty and may have been in it; the same of the broker's others, worked out when asked for. */
function heldOf(
  { broker, path }: RepairTarget,
  paths: ReadonlySet<string>,
  snapshot: ClusterSnapshot,
  before: SeenCluster,
  remembered: readonly SeenEmpty[],
) {
  const noted = new Map<string, HeldPartitions>()
  const notedIn = (one: string) => {
    const held = noted.get(one) ?? heldPartitions(broker, one, snapshot, before)
    noted.set(one, held)
    return held
  }
  const any = remembered.some((one) => one.broker === broker)
  const current = any ? seenEmptyNow(remembered, [], snapshot, () => false, snapshot.readAt) : []
  const unplaced = any ? seenEmptyUnplaced(broker, current, [...paths].map(notedIn)) : []
  const heldIn = (one: string) => withSeenEmpty(notedIn(one), unplaced, snapshot)
  return { held: heldIn(path), heldIn, unplaced: new Set(unplaced.map(partitionName)) }
}

/** With histories where nobody leads: those decide what an emptied start would cost. */
async function readHeldLogs(
  cluster: Cluster,
  broker: number,
  held: HeldPartitions,
  durationMs: number,
  problems: string[],
): Promise<PartitionEvidence[]> {
  const leaderless = held.partitions.filter(({ leader }) => leader === null)
  const led = held.partitions.filter(({ leader }) => leader !== null)
  const ledRead = led.slice(0, Math.max(0, LOGS_READ - leaderless.length))
  if (ledRead.length < led.length) {
    problems.push(
      `the logs of ${led.length - ledRead.length} partitions of broker ${broker} that have a leader were not read: too many`,
    )
  }
  const [histories, ends] = await Promise.all([
    leaderless.length === 0
      ? []
      : cluster.readReplicaLogs(leaderless, { durationMs, history: true, placements: false }),
    ledRead.length === 0 ? [] : cluster.readReplicaLogs(ledRead, { durationMs, history: false }),
  ])
  return [...histories, ...ends]
}

async function readConfigs(
  cluster: Cluster,
  broker: number,
  snapshot: ClusterSnapshot,
  problems: string[],
): Promise<ReadonlyMap<string, TopicConfig>> {
  const topics = new Set<string>()
  for (const { topic, isr } of snapshot.partitions) {
    if (isr.includes(broker) && !snapshot.topicConfigs.has(topic)) topics.add(topic)
  }
  try {
    return new Map([...snapshot.topicConfigs, ...(await cluster.topicConfigs([...topics]))])
  } catch (error) {
    problems.push(`the configuration of ${topics.size} topics was not read: ${errorText(error)}`)
    return snapshot.topicConfigs
  }
}

/**
 * The leader's end where there is one that was read; without a leader the furthest of the others: the broker's own replica may
 * have been emptied, and that is nothing to remember.
 */
function logEndsOf(broker: number, evidences: readonly PartitionEvidence[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { state, replicas } of evidences) {
    const read = replicas.flatMap((one) => (one.kind === 'read' ? one : (one.shown ?? [])))
    const counted =
      state.leader === null
        ? read.filter((log) => log.broker !== broker)
        : read.filter((log) => log.broker === state.leader)
    if (counted.length > 0) ends.set(partitionName(state), Math.max(...counted.map((log) => log.logEndOffset)))
  }
  return ends
}

function emptiedOf(broker: number, seen: SeenCluster): ReadonlySet<string> {
  return new Set(seen.directories.flatMap((dir) => (dir.broker === broker && dir.emptiedAt != null ? [dir.path] : [])))
}

/** Of which partitions that broker's own log was read, and is not empty. */
function withRecordsOn(broker: number, evidences: readonly PartitionEvidence[]): ReadonlySet<string> {
  const found = evidences.filter(({ replicas }) =>
    replicas.some((log) => log.broker === broker && log.kind === 'read' && !isEmptyLog(log)),
  )
  return new Set(found.map(({ state }) => partitionName(state)))
}
