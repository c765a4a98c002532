import { readdirSync, readFileSync } from 'node:fs'
import type {
  EpochStart,
  LastWrittenEpoch,
  NotReadCause,
  PartitionEvidence,
  ReplicaLog,
  ReplicaRead,
} from '../../src/cluster/replica-log.js'
import type { BrokerState, PartitionState, TopicConfig } from '../../src/cluster/snapshot.js'
import type { PlanningContext } from '../../src/recovery/planning/planning-context.js'

/** Scenario files turned into what a right reader of that cluster would hand to recovery/. */

interface ScenarioLog {
  readonly logDir: string
  readonly logStartOffset: number
  readonly logEndOffset: number
  readonly epochs: readonly (readonly [number, number])[]
  readonly highWatermark?: number
}
interface Scenario {
  readonly clusterId: string
  readonly brokers: readonly { id: number; state: BrokerState; failedLogDirs?: readonly string[] }[]
  readonly topics: readonly {
    name: string
    config: Readonly<Record<string, string>>
    partitions: readonly {
      partition: number
      assignment: readonly number[]
      leader: number
      leaderEpoch: number
      isr: readonly number[]
      elr: readonly number[]
      lastKnownElr: readonly number[]
      logs: Readonly<Record<string, ScenarioLog>>
    }[]
  }[]
}

export interface Expected {
  readonly topic: string
  readonly partition: number
  readonly order: readonly number[]
  readonly designatedLeader: number | null
  readonly left: readonly string[]
  readonly blockedBy: number | null
  readonly kafkaWouldElect: number | null
  readonly loss: Readonly<Record<string, number>>
  readonly lossAtLeast: number | null
  readonly lossKnown: number | null
  readonly committedAtLeast: number | null
  readonly method: string | null
}

export interface ScenarioCase {
  readonly name: string
  readonly clusterId: string
  readonly evidences: readonly PartitionEvidence[]
  readonly expected: readonly Expected[]
  readonly context: PlanningContext
}

const FOLDER = new URL('../cases/scenarios/', import.meta.url)

export function scenarioNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.expected.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort()
}

export function scenarioCase(name: string): ScenarioCase {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  const scenario = read(`${name}.json`) as Scenario
  const brokers = new Map(scenario.brokers.map(({ id, state }) => [id, state]))
  return {
    name,
    clusterId: scenario.clusterId,
    evidences: scenario.topics.flatMap((topic) =>
      topic.partitions.map((partition) => evidenceOf(scenario, topic.name, partition)),
    ),
    expected: read(`${name}.expected.json`) as Expected[],
    context: planningContext(brokers),
  }
}

export function planningContext(
  brokers: ReadonlyMap<number, BrokerState>,
  differing: Partial<PlanningContext> = {},
): PlanningContext {
  return {
    elections: 'stock',
    strategy: 'rank',
    brokers,
    accepted: new Set(),
    reassigning: new Set(),
    topicConfigs: new Map<string, TopicConfig>(),
    internalTopics: new Set(),
    ...differing,
  }
}

function evidenceOf(
  scenario: Scenario,
  topic: string,
  partition: Scenario['topics'][number]['partitions'][number],
): PartitionEvidence {
  const cannotServe = new Map<number, NotReadCause>()
  for (const { id, state, failedLogDirs } of scenario.brokers) {
    const log = partition.logs[id]
    if (state !== 'up') cannotServe.set(id, state)
    else if (log && failedLogDirs?.includes(log.logDir)) cannotServe.set(id, 'offlineLogDir')
  }
  const replicas = partition.assignment.map((broker): ReplicaRead => {
    const cause = cannotServe.get(broker)
    const log = partition.logs[broker]!
    return cause === undefined ? replicaLog(broker, log) : notRead(broker, cause)
  })
  const state: PartitionState = {
    topic,
    topicId: null,
    partition: partition.partition,
    leader: partition.leader === -1 ? null : partition.leader,
    leaderEpoch: partition.leaderEpoch,
    replicas: partition.assignment,
    isr: partition.isr,
    elr: partition.elr,
    lastKnownElr: partition.lastKnownElr,
    offlineReplicas: partition.assignment.filter((broker) => cannotServe.has(broker)),
  }
  return { state, replicas, readAt: new Date(0) }
}

export function notRead(broker: number, cause: NotReadCause): ReplicaRead {
  return { kind: 'notRead', broker, cause, reason: `broker ${broker}: ${cause}` }
}

export function replicaLog(
  broker: number,
  log: Pick<ScenarioLog, 'logStartOffset' | 'logEndOffset' | 'epochs' | 'highWatermark'>,
): ReplicaLog {
  const epochs: EpochStart[] = log.epochs
    .filter(([, startOffset]) => startOffset < log.logEndOffset)
    .map(([epoch, startOffset]) => ({ epoch, startOffset }))
  return {
    kind: 'read',
    broker,
    logStartOffset: log.logStartOffset,
    logEndOffset: log.logEndOffset,
    lastWrittenEpoch: lastWritten(log.logEndOffset > log.logStartOffset, epochs.at(-1)),
    epochs,
    highWatermark: log.highWatermark ?? log.logEndOffset,
    sizeBytes: null,
    logDir: null,
  }
}

function lastWritten(hasRecords: boolean, last: EpochStart | undefined): LastWrittenEpoch {
  if (!hasRecords) return { kind: 'none' }
  return last === undefined ? { kind: 'unknown' } : { kind: 'epoch', epoch: last.epoch }
}
