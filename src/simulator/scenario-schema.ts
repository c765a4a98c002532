import { z } from 'zod'
import { CLUSTER_OPERATIONS, TOPIC_OPERATIONS } from './model/authorizer.js'

/**
 * The form of a scenario file. What scenario.md lists is all here; keys beyond it are optional, and explained where they stand.
 */
const MAX_ID = 2 ** 31 - 1
const id = z.int().min(0).max(MAX_ID)
const offset = z.int().min(0)
const milliseconds = z.number().min(0)
const name = z.string().regex(/^[A-Za-z0-9._-]{1,249}$/, 'a topic name is made of A-Z a-z 0-9 . _ - (at most 249)')
const path = z.string().regex(/^\//, 'an absolute path begins with /')
const idList = z.array(id)

const log = z.strictObject({
  logDir: path,
  logStartOffset: offset,
  logEndOffset: offset,
  epochs: z.array(z.tuple([id, offset])),
  highWatermark: offset.optional(),
  sizeBytes: offset.optional(),
  /** Time of the last record, ms since 1970; else a plausible one. */
  lastTimestamp: z.int().min(0).optional(),
})

const partition = z.strictObject({
  partition: id,
  assignment: idList.min(1),
  leader: z.int().min(-1).max(MAX_ID),
  /** Else the highest epoch in the logs. */
  leaderEpoch: id.optional(),
  isr: idList.optional(),
  elr: idList.optional(),
  lastKnownElr: idList.optional(),
  /** By broker id; a member without a log has an empty one in its first directory. */
  logs: z.record(z.string(), log).optional(),
})

const topic = z.strictObject({
  name,
  config: z.record(z.string(), z.string()).optional(),
  partitions: z.array(partition).min(1).optional(),
  partitionCount: z.int().min(1).max(1_000_000).optional(),
  replicationFactor: z.int().min(1).optional(),
  offlineShare: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
})

const broker = z.strictObject({
  id,
  rack: z.string().optional(),
  state: z.enum(['up', 'fenced', 'down']).optional(),
  logDirs: z.array(path).min(1),
  failedLogDirs: z.array(path).optional(),
  /**
   * metadata.log.dir: a broker exits when this one fails. Kafka's default is the first of log.dirs; absent here, it is a
   * directory apart, which never fails.
   */
  metadataLogDir: path.optional(),
  responseDelayMs: milliseconds.optional(),
  /** How long this broker's view of the metadata lags behind the controller (real ones: some 100 ms after an election). */
  metadataDelayMs: milliseconds.optional(),
  /** How a broker that is down was stopped: decides, when it returns, whether it stays in the ELR. Default clean. */
  stopped: z.enum(['clean', 'kill']).optional(),
})

const brokerOnly = z.union([id, z.strictObject({ broker: id })])
const brokerDown = z.union([
  id,
  z.strictObject({
    broker: id,
    /** Killed: no clean shutdown file is left. */
    kill: z.boolean().optional(),
    /** The controller notices only so much later (session timeout; real ones up to 9 s). */
    fencedAfterMs: milliseconds.optional(),
  }),
])
const brokerUp = z.union([
  id,
  z.strictObject({ broker: id, /** Comes back as after a kill. */ kill: z.boolean().optional() }),
])
const directory = z.strictObject({ broker: id, path })

/** One thing that happens. Exactly one of the keys beside `afterMs`. */
export const eventSchema = z.strictObject({
  brokerUp: brokerUp.optional(),
  brokerDown: brokerDown.optional(),
  brokerFenced: brokerOnly.optional(),
  /** Stops (cleanly, or by kill) and starts at once. */
  brokerRestart: brokerUp.optional(),
  failLogDir: directory.optional(),
  /**
   * An empty disk in its place; a broker that runs is restarted for it. If it was a partition's last leader, that partition is,
   * once the broker is up again, in state Z; with `electedAtOnce` the broker had told the controller of its new directory before it was unfenced, and leads at
   * once (both were seen, in about half of the runs each).
   */
  replaceLogDir: directory.extend({ electedAtOnce: z.boolean().optional() }).optional(),
  /** Taken out of log.dirs; replicas are made anew elsewhere. A broker that runs is restarted for it. */
  removeLogDir: directory.optional(),
  /** So many records to the leader's log. */
  appendRecords: z.strictObject({ topic: name, partition: id, records: z.int().min(1) }).optional(),
  /** No controller leads: requests that need one time out; true: until controllerUp. */
  controllerDown: z.literal(true).optional(),
  /** A voter leads (by default the first; another one: a controller change). */
  controllerUp: z.union([z.literal(true), id]).optional(),
  deleteTopic: name.optional(),
  /** Deleted and created again: same name, same assignments, another topic id, empty logs. */
  recreateTopic: name.optional(),
})

export const EVENT_KINDS = Object.keys(eventSchema.shape)

const fault = z.strictObject({
  broker: id.optional(),
  /** The name of an RPC; '*' or absent: any. */
  api: z.string().optional(),
  error: z.int().min(-1).max(32767).optional(),
  closeConnection: z.boolean().optional(),
  delayMs: milliseconds.optional(),
  afterMs: milliseconds.optional(),
  times: z.int().min(1).optional(),
  topic: name.optional(),
  partition: id.optional(),
  /** Never answers; the request takes effect, and later ones on the connection wait. */
  silent: z.boolean().optional(),
  /** With closeConnection: the request takes effect before the connection closes. */
  takesEffect: z.boolean().optional(),
  /** The answer says so, and the connection's next request waits so long. */
  throttleMs: milliseconds.optional(),
  /** At most so many partitions of a request are served; the rest get REQUEST_LIMIT_REACHED (140 here). */
  requestLimit: z.int().min(0).optional(),
  /** What is sent in place of the answer: half of it and then nothing, a length of 2 GB, or bytes that are no answer. */
  malformed: z.enum(['truncated', 'oversized', 'garbage']).optional(),
  /** Answers for fewer partitions than asked (every second one), for each twice, or for a partition and a topic besides that nobody asked for. */
  answered: z.enum(['fewer', 'twice', 'strangers']).optional(),
})

const refusal = z.discriminatedUnion('resource', [
  z.strictObject({ resource: z.literal('CLUSTER'), operation: z.enum(CLUSTER_OPERATIONS) }),
  /** Without a name: on every topic. */
  z.strictObject({ resource: z.literal('TOPIC'), operation: z.enum(TOPIC_OPERATIONS), name: name.optional() }),
])

export const scenarioSchema = z.strictObject({
  clusterId: z.string(),
  personality: z.enum(['stock', 'kip1275']).optional(),
  /** What it teaches, in one line; shown in `demo --list`. */
  teaches: z.string().optional(),
  brokers: z.array(broker).min(1),
  topics: z.array(topic),
  faults: z.array(fault).optional(),
  /** What the user may not do, as an authorizer would have it (errors 29 and 31). Absent: everything is allowed. */
  refuse: z.array(refusal).optional(),
  events: z.array(eventSchema.extend({ afterMs: milliseconds })).optional(),
  /** Eligible leader replicas, as 4.1 and later have them by default. */
  elr: z.boolean().optional(),
  /** The controller's timer (auto.leader.rebalance.enable); absent: off. */
  leaderImbalanceCheckMs: z.number().min(1).optional(),
  /** How fast each follower catches up; absent: at once. */
  catchUpOffsetsPerSecond: z.number().min(1).optional(),
  quorum: z
    .strictObject({
      /** Default [3000]: a controller apart from the brokers. */
      voters: idList.min(1).optional(),
      /** -1: none leads. Default: the first voter. */
      leader: z.int().min(-1).optional(),
      /** How long a broker tries to reach a controller before it answers 7. Default 60000, as real ones. */
      requestTimeoutMs: milliseconds.optional(),
    })
    .optional(),
})

export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioBroker = Scenario['brokers'][number]
export type ScenarioTopic = Scenario['topics'][number]
export type ScenarioPartition = NonNullable<ScenarioTopic['partitions']>[number]
export type ScenarioLog = z.output<typeof log>
export type ScenarioFault = z.output<typeof fault>
/** Something that happens to a simulated cluster; see eventSchema. */
export type ScenarioEvent = z.output<typeof eventSchema>
export type TimedEvent = ScenarioEvent & { readonly afterMs: number }
