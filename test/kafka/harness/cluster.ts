import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AlterPartitionReassignments } from '../../../src/protocol/rpc/alter-partition-reassignments.js'
import { ElectLeaders } from '../../../src/protocol/rpc/elect-leaders.js'
import { Fetch } from '../../../src/protocol/rpc/fetch.js'
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, ListOffsets } from '../../../src/protocol/rpc/list-offsets.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import { TestBroker } from './broker.js'
import { freePorts } from './free-ports.js'
import { kafkaJars } from './jars.js'
import { KafkaProcess } from './kafka-process.js'
import { removeFolder, temporaryFolder } from './leftovers.js'
import { describePartitions, describeWithoutElr, type PartitionView } from './partition-view.js'
import { recordBatch, type StoredRecord, storedRecords } from './records.js'
import { CreateTopics, Produce } from './rpcs.js'
import { brokerProperties, controllerProperties, type Settings } from './server-properties.js'
import { type UntilOptions, until } from './until.js'

export type { PartitionView } from './partition-view.js'

export interface ClusterOptions {
  /** Of Kafka: 4.4.0. */
  readonly version: string
  /** Ids are 1 to this number. */
  readonly brokers?: number
  readonly logDirsPerBroker?: number
  /** Put on top of the harness's own server.properties, on brokers and controller. */
  readonly config?: Settings
  /** Put on top of that on one broker: its further listeners, say. */
  readonly brokerConfig?: (broker: { readonly id: number; readonly port: number }) => Settings
  /** Java system properties of every process. */
  readonly systemProperties?: Settings
  /** Formatted with (true) or without (false) eligible leader replicas; left out: the version's default. */
  readonly elr?: boolean
}

export interface TopicToCreate {
  readonly name: string
  /** One ordered list of broker ids for each partition. */
  readonly assignment: readonly (readonly number[])[]
  readonly config?: Settings
}

const CONTROLLER_ID = 100
const ELR_FEATURE = 'eligible.leader.replicas.version'
// Answers that a moment later may be others: leadership is known to the controller before the brokers have heard of it.
const NOT_YET = new Set([3, 5, 6, 7, 74, 75, 76, 100])
const FETCH_BYTES = 10_000_000

/** Starts a controller and brokers on loopback, and returns when all brokers are unfenced. Dispose it, whatever happens. */
export async function startCluster(options: ClusterOptions): Promise<TestCluster> {
  const { version, brokers: count = 3, logDirsPerBroker = 2, config = {}, systemProperties = {}, elr } = options
  const jars = await kafkaJars(version)
  const folder = temporaryFolder()
  const clusterId = newClusterId()
  const [controllerPort, ...ports] = await freePorts(count + 1)
  if (controllerPort === undefined) throw new Error('no port for the controller')
  const controllerAt = { id: CONTROLLER_ID, port: controllerPort }
  const formatArguments = [
    '--cluster-id',
    clusterId,
    ...(elr === undefined ? [] : ['--feature', `${ELR_FEATURE}=${elr ? 1 : 0}`]),
  ]

  async function layOut(
    name: string,
    id: number,
    port: number,
    dirs: readonly string[],
    kind: 'controller' | 'broker',
  ) {
    const home = join(folder, name)
    const logDirs = dirs.map((dir) => join(home, dir))
    for (const dir of logDirs) await mkdir(dir, { recursive: true })
    const own = kind === 'broker' ? options.brokerConfig?.({ id, port }) : undefined
    const layout = { id, port, logDirs, controller: controllerAt, config: { ...config, ...own } }
    const properties = join(home, 'server.properties')
    await writeFile(properties, kind === 'broker' ? brokerProperties(layout) : controllerProperties(layout))
    return {
      logDirs,
      process: new KafkaProcess({
        name: `${name} (Kafka ${version})`,
        jars,
        properties,
        logFile: join(home, 'server.log'),
        port,
        systemProperties,
      }),
    }
  }

  const controller = await layOut('controller', CONTROLLER_ID, controllerPort, ['metadata'], 'controller')
  const brokers: TestBroker[] = []
  for (const [index, port] of ports.entries()) {
    const id = index + 1
    const dirs = Array.from({ length: logDirsPerBroker }, (_, dir) => `disk${dir + 1}`)
    const { logDirs, process } = await layOut(`broker${id}`, id, port, dirs, 'broker')
    brokers.push(new TestBroker(id, port, logDirs, process, formatArguments))
  }
  const cluster = new TestCluster(version, clusterId, folder, controller.process, brokers)
  try {
    await controller.process.launch('format-and-start', formatArguments)
    for (const broker of brokers) await broker.launch({ format: true })
    await controller.process.untilAnswering()
    for (const broker of brokers) await broker.untilStarted()
    await cluster.untilAlive(brokers.map(({ id }) => id))
    return cluster
  } catch (error) {
    await cluster.dispose()
    throw error
  }
}

/** As Kafka makes them: never with a dash at the beginning, which kafka-storage would take for an option (Uuid.randomUuid). */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newClusterId() : id
}

/** A real Kafka cluster on loopback. */
export class TestCluster {
  constructor(
    readonly version: string,
    /** Null in ZooKeeper mode, where the first broker makes one. */
    readonly clusterId: string | null,
    readonly folder: string,
    /** In ZooKeeper mode the ZooKeeper server. */
    readonly controller: KafkaProcess,
    readonly brokers: readonly TestBroker[],
  ) {}

  get bootstrapServers(): string {
    return this.brokers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  }

  broker(id: number): TestBroker {
    const broker = this.brokers.find((candidate) => candidate.id === id)
    if (broker === undefined) throw new Error(`there is no broker ${id} in this cluster`)
    return broker
  }

  /** Some broker that runs. */
  anyBroker(): TestBroker {
    const broker = this.brokers.find(({ isRunning }) => isRunning)
    if (broker === undefined) throw new Error('no broker of this cluster runs')
    return broker
  }

  /** Where writing requests go: in KRaft any broker hands them on, in ZooKeeper mode only the controller takes them. */
  async administrator(): Promise<TestBroker> {
    if (this.clusterId !== null) return this.anyBroker()
    return until('a controller to be named', async () => {
      const { controllerId } = await this.anyBroker().rpc(Metadata, 9, { topics: [], allowAutoTopicCreation: false })
      const broker = this.brokers.find(({ id, isRunning }) => id === controllerId && isRunning)
      return broker === undefined ? { seen: controllerId } : { done: broker }
    })
  }

  /** Starts several stopped brokers at the same time. */
  async start(...ids: number[]): Promise<void> {
    const brokers = ids.map((id) => this.broker(id))
    for (const broker of brokers) await broker.launch()
    for (const broker of brokers) await broker.untilStarted()
  }

  /** Until every running broker believes exactly these brokers to be alive. */
  async untilAlive(ids: readonly number[], options?: UntilOptions): Promise<void> {
    const wanted = [...ids].sort((a, b) => a - b).join()
    await until(
      `brokers ${wanted} to be alive in the view of all`,
      async () => {
        const seen: Record<number, number[]> = {}
        for (const broker of this.brokers) if (broker.isRunning) seen[broker.id] = await broker.aliveBrokers()
        return Object.values(seen).every((alive) => alive.join() === wanted) ? { done: undefined } : { seen }
      },
      options,
    )
  }

  /** Until a broker that was killed or stopped is fenced. Seen by the living brokers, or, where none runs, in the controller's log. */
  async untilFenced(id: number, options?: UntilOptions): Promise<void> {
    await until(
      `broker ${id} to be fenced`,
      async () => {
        if (this.brokers.some(({ isRunning }) => isRunning)) {
          const alive = await this.anyBroker().aliveBrokers()
          return alive.includes(id) ? { seen: { alive } } : { done: undefined }
        }
        const last = lastFencedState(await this.controller.log(), id)
        return last === 'fenced' ? { done: undefined } : { seen: last }
      },
      options,
    )
  }

  async createTopics(topics: readonly TopicToCreate[]): Promise<void> {
    const { topics: created } = await (await this.administrator()).rpc(CreateTopics, 7, {
      topics: topics.map(({ name, assignment, config = {} }) => ({
        name,
        numPartitions: -1,
        replicationFactor: -1,
        assignments: assignment.map((brokerIds, partitionIndex) => ({ partitionIndex, brokerIds })),
        configs: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      })),
    })
    for (const { name, errorCode, errorMessage } of created) {
      if (errorCode !== 0) throw new Error(`creating ${name} failed with error ${errorCode}: ${errorMessage}`)
    }
    // In the view of every broker: one that has not heard of a new topic yet calls it unknown.
    for (const broker of this.brokers.filter(({ isRunning }) => isRunning)) {
      for (const { name, assignment } of topics) {
        await this.untilDescribed(
          name,
          `every partition to have a leader and its whole ISR in the view of broker ${broker.id}`,
          (partitions) =>
            partitions.length === assignment.length &&
            partitions.every(({ isr, replicas, leader }) => leader >= 0 && isr.length === replicas.length),
          { broker },
        )
      }
    }
  }

  createTopic(name: string, assignment: readonly (readonly number[])[], config: Settings = {}): Promise<void> {
    return this.createTopics([{ name, assignment, config }])
  }

  /** The topic's partitions in the view of one running broker. */
  describe(topic: string, broker: TestBroker = this.anyBroker()): Promise<PartitionView[]> {
    return this.clusterId === null ? describeWithoutElr(broker, topic) : describePartitions(broker, topic)
  }

  /** Waits until the topic's partitions look as wanted to some running broker (or the one named), and returns them. */
  untilDescribed(
    topic: string,
    what: string,
    wanted: (partitions: readonly PartitionView[]) => boolean,
    { broker, ...options }: UntilOptions & { readonly broker?: TestBroker } = {},
  ): Promise<PartitionView[]> {
    return until(
      `${topic}: ${what}`,
      async () => {
        const partitions = await this.describe(topic, broker)
        return wanted(partitions) ? { done: partitions } : { seen: partitions }
      },
      options,
    )
  }

  /** Writes these values as one batch to the partition's leader, as soon as it has one. Returns the first one's offset. */
  async produce(
    topic: string,
    partition: number,
    values: readonly string[],
    { acks = 1 }: { readonly acks?: 0 | 1 | -1 } = {},
  ): Promise<number> {
    const records = await recordBatch(values)
    return this.#onLeader(`producing to ${topic}-${partition}`, topic, partition, async (leader) => {
      const { responses } = await leader.rpc(Produce, 8, {
        acks,
        timeoutMs: 20_000,
        topicData: [{ name: topic, partitionData: [{ index: partition, records }] }],
      })
      const answer = only(only(responses).partitionResponses)
      return { errorCode: answer.errorCode, value: Number(answer.baseOffset) }
    })
  }

  /** All records that a consumer gets from the partition's leader: up to its high watermark at this moment. */
  async consume(topic: string, partition: number): Promise<StoredRecord[]> {
    let at = await this.#leaderOffset(topic, partition, EARLIEST_TIMESTAMP)
    const end = await this.#leaderOffset(topic, partition, LATEST_TIMESTAMP)
    const found: StoredRecord[] = []
    while (at < end) {
      const fetched = await this.#onLeader(
        `consuming ${topic}-${partition} at ${at}`,
        topic,
        partition,
        async (leader) => {
          const { responses } = await leader.rpc(Fetch, 12, {
            maxWaitMs: 500,
            minBytes: 1,
            topics: [{ topic, partitions: [{ partition, fetchOffset: at, partitionMaxBytes: FETCH_BYTES }] }],
          })
          const answer = only(only(responses).partitions)
          return { errorCode: answer.errorCode, value: answer.records }
        },
      )
      const records = fetched === null ? [] : await storedRecords(fetched)
      const last = records.at(-1)
      if (last === undefined) throw new Error(`${topic}-${partition} told no records between ${at} and ${end}`)
      found.push(...records.filter(({ offset }) => offset >= Number(at)))
      at = BigInt(last.offset + 1)
    }
    return found
  }

  /** AlterPartitionReassignments for one partition; resolves to the code answered for it. */
  async reorder(topic: string, partition: number, replicas: readonly number[]): Promise<number> {
    const { errorCode, responses } = await (await this.administrator()).rpc(AlterPartitionReassignments, 0, {
      topics: [{ name: topic, partitions: [{ partitionIndex: partition, replicas }] }],
    })
    return errorCode !== 0 ? errorCode : only(only(responses).partitions).errorCode
  }

  /** ElectLeaders for one partition; resolves to the code answered for it. */
  async elect(kind: 'preferred' | 'unclean', topic: string, partition: number): Promise<number> {
    const { errorCode, replicaElectionResults } = await (await this.administrator()).rpc(ElectLeaders, 2, {
      electionType: kind === 'preferred' ? 0 : 1,
      topicPartitions: [{ topic, partitions: [partition] }],
      timeoutMs: 30_000,
    })
    return errorCode !== 0 ? errorCode : only(only(replicaElectionResults).partitionResult).errorCode
  }

  /** Ends every process and removes the folder. May be called more than once, and in any state. */
  async dispose(): Promise<void> {
    await Promise.all([...this.brokers.map((broker) => broker.dispose()), this.controller.end('SIGKILL')])
    removeFolder(this.folder)
  }

  #leaderOffset(topic: string, partition: number, timestamp: bigint): Promise<bigint> {
    return this.#onLeader(`asking for offsets of ${topic}-${partition}`, topic, partition, async (leader) => {
      const { topics } = await leader.rpc(ListOffsets, 7, {
        replicaId: -1,
        topics: [{ name: topic, partitions: [{ partitionIndex: partition, timestamp }] }],
      })
      const answer = only(only(topics).partitions)
      return { errorCode: answer.errorCode, value: answer.offset }
    })
  }

  #onLeader<T>(
    what: string,
    topic: string,
    partition: number,
    ask: (leader: TestBroker) => Promise<{ errorCode: number; value: T }>,
  ): Promise<T> {
    return until(what, async () => {
      const view = (await this.describe(topic)).find((candidate) => candidate.partition === partition)
      if (view === undefined || view.leader < 0) return { seen: view ?? 'no such partition' }
      const { errorCode, value } = await ask(this.broker(view.leader))
      if (NOT_YET.has(errorCode)) return { seen: `error ${errorCode} from broker ${view.leader}` }
      if (errorCode !== 0) throw new Error(`error ${errorCode} from broker ${view.leader}`)
      return { done: value }
    })
  }
}

function only<T>(values: readonly T[]): T {
  const [value] = values
  if (value === undefined || values.length > 1) throw new Error(`one answer was expected, not ${values.length}`)
  return value
}

/** What the controller's log says last about broker `id`. */
function lastFencedState(log: string, id: number): 'fenced' | 'unfenced' | 'nothing' {
  const records = new RegExp(
    `(?:RegisterBrokerRecord|BrokerRegistrationChangeRecord)\\(brokerId=${id},.*?\\bfenced=(1|-1|true|false)`,
    'g',
  )
  const last = [...log.matchAll(records)].at(-1)?.[1]
  if (last === undefined) return 'nothing'
  return last === '1' || last === 'true' ? 'fenced' : 'unfenced'
}
