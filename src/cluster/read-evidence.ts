import { ElectLeaders } from '../protocol/rpc/elect-leaders.js'
import { GetReplicaLogInfo } from '../protocol/rpc/get-replica-log-info.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { ReplicaLogOptions } from './cluster.js'
import type { BrokerLink } from './connections.js'
import type { BrokerReadOptions, ReplicaLogResult } from './log-reading.js'
import { readLogDirs } from './read-log-dirs.js'
import { readBrokerLogs } from './read-replica-logs.js'
import type { NotReadCause, PartitionEvidence, ReplicaLog, ReplicaNotRead, ReplicaRead } from './replica-log.js'
import type { ClusterSession } from './session.js'
import { type PartitionState, partitionName } from './snapshot.js'

/** What one broker told of its replicas, or why it told nothing. */
interface BrokerAnswer {
  readonly results: ReadonlyMap<string, ReplicaLogResult>
  /** For every partition that has no result. */
  readonly otherwise: { readonly cause: NotReadCause; readonly reason: string }
  readonly fenced: boolean
  readonly placements: ReadonlyMap<string, { readonly logDir: string; readonly sizeBytes: number }>
}

/** Reads every replica of these partitions, all brokers at once, each within the duration. Never fails as a whole. */
export async function readEvidence(
  session: ClusterSession,
  partitions: readonly PartitionState[],
  options: ReplicaLogOptions,
): Promise<PartitionEvidence[]> {
  const deadline = performance.now() + Math.min(options.durationMs, session.timeLeftMs)
  for (const evidence of options.expected ?? []) rememberEpochs(session, evidence)
  // A replica whose directory the cluster itself calls offline is not asked: the answer is known (56).
  const onOfflineLogDir = (partition: PartitionState, broker: number) =>
    partition.offlineReplicas.includes(broker) && session.brokerState(broker) === 'up'
  const byBroker = new Map<number, PartitionState[]>()
  for (const partition of partitions) {
    for (const broker of partition.replicas) {
      if (onOfflineLogDir(partition, broker)) continue
      const group = byBroker.get(broker)
      if (group === undefined) byBroker.set(broker, [partition])
      else group.push(partition)
    }
  }
  let done = 0
  const answers = new Map<number, BrokerAnswer>()
  await Promise.all(
    [...byBroker].map(async ([broker, group]) => {
      answers.set(broker, await readBroker(session, broker, group, options, deadline))
      done += 1
      options.onProgress?.(done, byBroker.size)
    }),
  )
  const readAt = new Date()
  return partitions.map((state) => ({
    state,
    readAt,
    replicas: state.replicas.map((broker) =>
      replicaRead(state, broker, onOfflineLogDir(state, broker) ? undefined : answers.get(broker)),
    ),
  }))
}

function replicaRead(state: PartitionState, broker: number, answer: BrokerAnswer | undefined): ReplicaRead {
  if (answer === undefined) {
    return {
      kind: 'notRead',
      broker,
      cause: 'offlineLogDir',
      reason: `broker ${broker} is up, but the log directory of this replica is offline`,
    }
  }
  const name = partitionName(state)
  const result = answer.results.get(name) ?? { failure: answer.otherwise }
  if ('failure' in result) return { kind: 'notRead', broker, ...result.failure }
  const placement = answer.placements.get(name)
  const log: ReplicaLog = placement === undefined ? result.log : { ...result.log, ...placement }
  if (!answer.fenced) return log
  return { kind: 'notRead', broker, cause: 'fenced', reason: fencedReason(broker), shown: log } satisfies ReplicaNotRead
}

function fencedReason(broker: number): string {
  return `broker ${broker} is fenced: it answers, but the controller does not count on it`
}

async function readBroker(
  session: ClusterSession,
  broker: number,
  partitions: readonly PartitionState[],
  options: ReplicaLogOptions,
  deadline: number,
): Promise<BrokerAnswer> {
  const state = session.brokerState(broker)
  const fenced = state === 'fenced'
  const nothing = (cause: NotReadCause, reason: string): BrokerAnswer => ({
    results: new Map(),
    otherwise: { cause, reason },
    fenced,
    placements: new Map(),
  })
  const link = session.connections.link(broker)
  if (state === 'down' || state === null || link === null) {
    return nothing('down', `broker ${broker} is down: it is not in the metadata and does not answer`)
  }
  const results = new Map<string, ReplicaLogResult>()
  const placements = new Map<string, { logDir: string; sizeBytes: number }>()
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
        lastEpochs: lastEpochsOf(session, broker),
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

function rememberEpochs(session: ClusterSession, { state, replicas }: PartitionEvidence): void {
  for (const replica of replicas) {
    if (replica.kind !== 'read' || replica.lastWrittenEpoch.kind !== 'epoch') continue
    lastEpochsOf(session, replica.broker).set(partitionName(state), replica.lastWrittenEpoch.epoch)
  }
}

function lastEpochsOf({ lastEpochs }: ClusterSession, broker: number): Map<string, number> {
  const known = lastEpochs.get(broker) ?? new Map<string, number>()
  lastEpochs.set(broker, known)
  return known
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
  return { cause: 'error', reason: `broker ${broker}: ${error instanceof Error ? error.message : String(error)}` }
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
  into: Map<string, { logDir: string; sizeBytes: number }>,
): Promise<void> {
  try {
    const read = await readLogDirs(link, broker, partitions, true, Math.max(1, deadline - performance.now()))
    if (read.kind !== 'read') return
    for (const { path, replicas } of read.logDirs) {
      for (const replica of replicas ?? []) {
        if (!replica.isFuture) into.set(partitionName(replica), { logDir: path, sizeBytes: replica.sizeBytes })
      }
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}
