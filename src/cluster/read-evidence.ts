import { ElectLeaders } from '../protocol/rpc/elect-leaders.js'
import { GetReplicaLogInfo } from '../protocol/rpc/get-replica-log-info.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { errorText } from '../text/error-text.js'
import type { ReplicaLogOptions } from './cluster.js'
import type { BrokerLink } from './connections.js'
import type { BrokerReadOptions, ReplicaLogResults } from './log-reading.js'
import { PartitionMap } from './partition-map.js'
import { readLogDirs } from './read-log-dirs.js'
import { readBrokerLogs } from './read-replica-logs.js'
import type { NotReadCause, PartitionEvidence, ReplicaLog, ReplicaNotRead, ReplicaRead } from './replica-log.js'
import { sameEpochs, sameRead } from './same-reads.js'
import type { ClusterSession } from './session.js'
import { eachInSlices, sharedSlices } from './slices.js'
import type { PartitionState } from './snapshot.js'

type Placements = PartitionMap<{ readonly logDir: string; readonly sizeBytes: number }>

/** What one broker told of its replicas, or why it told nothing. */
interface BrokerAnswer {
  readonly results: ReplicaLogResults
  /** For every partition that has no result. */
  readonly otherwise: ReplicaNotRead
  readonly fenced: boolean
  readonly placements: Placements
}

/**
 * Reads every replica of these partitions, all brokers at once, each within the duration. Never fails as a whole. What is as `expected` has it, or equal to
 * another replica's, is the same object.
 */
export async function readEvidence(
  session: ClusterSession,
  partitions: readonly PartitionState[],
  options: ReplicaLogOptions,
): Promise<PartitionEvidence[]> {
  const deadline = performance.now() + Math.min(options.durationMs, session.timeLeftMs)
  const expected = new PartitionMap<PartitionEvidence>()
  await eachInSlices(options.expected ?? [], sharedSlices, 64, (evidence) => {
    expected.set(evidence.state, evidence)
  })
  // A replica whose directory the cluster itself calls offline is not asked: the answer is known (56).
  const onOfflineLogDir = (partition: PartitionState, broker: number) =>
    partition.offlineReplicas.includes(broker) && session.brokerState(broker) === 'up'
  const byBroker = new Map<number, PartitionState[]>()
  await eachInSlices(partitions, sharedSlices, 64, (partition) => {
    for (const broker of partition.replicas) {
      if (onOfflineLogDir(partition, broker)) continue
      const group = byBroker.get(broker)
      if (group === undefined) byBroker.set(broker, [partition])
      else group.push(partition)
    }
  })
  let done = 0
  const answers = new Map<number, BrokerAnswer>()
  await Promise.all(
    [...byBroker].map(async ([broker, group]) => {
      answers.set(broker, await readBroker(session, broker, group, options, expected, deadline))
      done += 1
      options.onProgress?.(done, byBroker.size)
    }),
  )
  const readAt = new Date()
  const evidences: PartitionEvidence[] = []
  const offlineDirs = new Map<number, ReplicaNotRead>()
  await eachInSlices(partitions, sharedSlices, 32, (state) => {
    const replicas = state.replicas.map((broker) =>
      onOfflineLogDir(state, broker)
        ? sharedFor(broker, offlineDirs, offlineLogDirOf)
        : replicaRead(state, broker, answers.get(broker)),
    )
    evidences.push({ state, readAt, replicas: shareReads(replicas, expected.get(state)?.replicas) })
  })
  return evidences
}

/** The replicas with what is equal being one object: of what was read before, or of another replica. */
function shareReads(replicas: readonly OwnRead[], before: readonly ReplicaRead[] | undefined): readonly ReplicaRead[] {
  let asBefore = before?.length === replicas.length
  const reads = replicas.map((replica, index): ReplicaRead => {
    const old = before?.[index]
    if (old !== undefined && sameRead(replica, old)) return old
    asBefore = false
    if (replica.kind === 'notRead') return replica
    for (let other = 0; other < index; other++) {
      const known = replicas[other]
      if (known?.kind === 'read') replica.epochs = sharedEpochs(replica.epochs, known.epochs)
    }
    return replica
  })
  return asBefore && before !== undefined ? before : reads
}

/** Replicas mostly have the same history, but for its end. */
function sharedEpochs(epochs: ReplicaLog['epochs'], known: ReplicaLog['epochs']): ReplicaLog['epochs'] {
  if (sameEpochs(epochs, known)) return known
  return epochs.map((entry, index) => {
    const other = known[index]
    return other?.epoch === entry.epoch && other.startOffset === entry.startOffset ? other : entry
  })
}

/** A log that nobody else has seen yet. */
type OwnLog = { -readonly [Key in keyof ReplicaLog]: ReplicaLog[Key] }
type OwnRead = OwnLog | ReplicaNotRead

function sharedFor<Value>(broker: number, known: Map<number, Value>, make: (broker: number) => Value): Value {
  const value = known.get(broker) ?? make(broker)
  known.set(broker, value)
  return value
}

function offlineLogDirOf(broker: number): ReplicaNotRead {
  const reason = `broker ${broker} is up, but the log directory of this replica is offline`
  return { kind: 'notRead', broker, cause: 'offlineLogDir', reason }
}

function replicaRead(state: PartitionState, broker: number, answer: BrokerAnswer | undefined): OwnRead {
  if (answer === undefined) return offlineLogDirOf(broker)
  const result = answer.results.get(state) ?? answer.otherwise
  if (result.kind === 'notRead') return result
  const log: OwnLog = { ...result, ...answer.placements.get(state) }
  if (!answer.fenced) return log
  return { kind: 'notRead', broker, cause: 'fenced', reason: fencedReason(broker), shown: log }
}

function fencedReason(broker: number): string {
  return `broker ${broker} is fenced: it answers, but the controller does not count on it`
}

async function readBroker(
  session: ClusterSession,
  broker: number,
  partitions: readonly PartitionState[],
  options: ReplicaLogOptions,
  expected: PartitionMap<PartitionEvidence>,
  deadline: number,
): Promise<BrokerAnswer> {
  const state = session.brokerState(broker)
  const fenced = state === 'fenced'
  const nothing = (cause: NotReadCause, reason: string): BrokerAnswer => ({
    results: new PartitionMap(),
    otherwise: { kind: 'notRead', broker, cause, reason },
    fenced,
    placements: new PartitionMap(),
  })
  const link = session.connections.link(broker)
  if (state === 'down' || state === null || link === null) {
    return nothing('down', `broker ${broker} is down: it is not in the metadata and does not answer`)
  }
  const results: ReplicaLogResults = new PartitionMap()
  const placements: Placements = new PartitionMap()
  const late = `broker ${broker} did not tell its logs within ${options.durationMs} ms`
  try {
    await withinDeadline(deadline, late, async () => {
      const identity = await session.identity(broker, link)
      // At an address that the operator gave, a log that nobody vouches for is not attributed to this broker.
      if (identity.kind === 'wrong' || (identity.kind === 'unconfirmed' && session.connections.hasEndpoint(broker))) {
        throw new WrongBrokerError(identity.text)
      }
      const readOptions: BrokerReadOptions = {
        broker,
        history: options.history,
        deadline,
        replicaLogInfo: await replicaLogInfoOf(session, link, deadline),
        lastEpoch: (partition) => lastEpochIn(expected.get(partition), broker),
      }
      await Promise.all([
        readBrokerLogs(link, partitions, readOptions, results),
        (options.placements ?? options.history) ? readPlacements(link, broker, partitions, deadline, placements) : null,
      ])
    })
    return { ...nothing('error', `broker ${broker} left this partition out of its answer`), results, placements }
  } catch (error) {
    const { cause, reason } = failureOf(error, broker, late)
    return { ...nothing(fenced ? 'fenced' : cause, fenced ? fencedReason(broker) : reason), results, placements }
  }
}

function lastEpochIn(evidence: PartitionEvidence | undefined, broker: number): number | undefined {
  const replica = evidence?.replicas.find((one) => one.broker === broker)
  return replica?.kind === 'read' && replica.lastWrittenEpoch.kind === 'epoch'
    ? replica.lastWrittenEpoch.epoch
    : undefined
}

class WrongBrokerError extends Error {}
class LateError extends Error {}

async function withinDeadline(deadline: number, message: string, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(message)), Math.max(1, deadline - performance.now()))
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown, broker: number, late: string): { cause: NotReadCause; reason: string } {
  if (error instanceof LateError) return { cause: 'late', reason: late }
  if (error instanceof WrongBrokerError) return { cause: 'wrongBroker', reason: error.message }
  if (error instanceof TransportError) {
    switch (error.failure) {
      case 'timeout':
        return { cause: 'late', reason: late }
      case 'connection':
      case 'tls':
      case 'authentication':
        return { cause: 'connection', reason: `broker ${broker}: ${error.message}` }
      case 'malformed':
      case 'unsupported':
      case 'readOnly':
        return { cause: 'error', reason: `broker ${broker}: ${error.message}` }
    }
  }
  return { cause: 'error', reason: `broker ${broker}: ${errorText(error)}` }
}

/** GetReplicaLogInfo counts only where ElectLeaders 3 is offered too: alone its key means something else (4.4.0). */
async function replicaLogInfoOf(
  session: ClusterSession,
  link: BrokerLink,
  deadline: number,
): Promise<typeof GetReplicaLogInfo | null> {
  const timeoutMs = Math.max(1, deadline - performance.now())
  const designated = await link.versionFor(ElectLeaders, timeoutMs)
  const rpc = { ...GetReplicaLogInfo, apiKey: session.options.replicaLogInfoApiKey }
  const offered = await link.versionFor(rpc, timeoutMs)
  return designated !== null && designated >= 3 && offered !== null ? rpc : null
}

/** Which directory a replica lies in, and its size: shown, never a criterion. Whatever fails leaves them unknown. */
async function readPlacements(
  link: BrokerLink,
  broker: number,
  partitions: readonly PartitionState[],
  deadline: number,
  into: Placements,
): Promise<void> {
  try {
    const read = await readLogDirs(link, broker, partitions, true, Math.max(1, deadline - performance.now()))
    if (read.kind !== 'read') return
    for (const { path, replicas } of read.logDirs) {
      for (const replica of replicas ?? []) {
        if (!replica.isFuture) into.set(replica, { logDir: path, sizeBytes: replica.sizeBytes })
      }
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}
