import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { journalsIn } from '../../../src/cli/journals.js'
import { partitionName, type TopicPartition } from '../../../src/cluster/snapshot.js'
import { AlterPartitionReassignments } from '../../../src/protocol/rpc/alter-partition-reassignments.js'
import { ElectLeaders } from '../../../src/protocol/rpc/elect-leaders.js'
import { systemClock } from '../../../src/recovery/apply/clock.js'
import { applyPlan } from '../../../src/recovery/apply/events.js'
import type { PartitionOutcome } from '../../../src/recovery/apply/outcome.js'
import { type PlanningOptions, planRecovery } from '../../../src/recovery/use-cases/plan-recovery.js'
import type { TestCluster } from '../harness/cluster.js'
import { GaveUpWaitingError, until } from '../harness/until.js'
import { WireClient } from '../harness/wire.js'
import { type Observation, type ObservedPartition, observe, planningOptions, withOurCluster } from './observe.js'
import { type Placement, RealTwin } from './real-twin.js'
import { Memory, type RepairView, readView } from './repair-view.js'
import { SimulatedTwin } from './simulated-twin.js'
import type { Twin, TwinTopic } from './twin.js'

/** Followers of real brokers need a moment for what the simulator does at once. */
const SETTLING_MS = 20_000

/**
 * One scenario on both, step by step: each step is done on the simulator and on the real brokers, and whatever both answer has to
 * be the same.
 */
export class Twins {
  readonly real: RealTwin
  readonly simulated: SimulatedTwin
  /** Which of the broker's log directories holds a replica: on both the same. */
  readonly placement: Placement
  readonly #partitions: readonly TopicPartition[]
  readonly #seen = { simulated: new Memory(), real: new Memory() }

  private constructor(real: RealTwin, simulated: SimulatedTwin, topics: readonly TwinTopic[], placement: Placement) {
    this.real = real
    this.simulated = simulated
    this.placement = placement
    this.#partitions = topics.flatMap(({ name, assignment }) =>
      assignment.map((_, partition) => ({ topic: name, partition })),
    )
  }

  /** Both healthy, with these topics; the same so far. */
  static async open(kafka: TestCluster, topics: readonly TwinTopic[], { elr = true } = {}): Promise<Twins> {
    const real = await RealTwin.open(kafka, topics)
    const placement = await real.placement(topics)
    const twins = new Twins(real, await SimulatedTwin.open(topics, placement, elr), topics, placement)
    await twins.same()
    return twins
  }

  async dispose(): Promise<void> {
    await this.simulated.dispose()
  }

  /** A step on both. */
  async both(step: (twin: Twin) => Promise<void>): Promise<void> {
    await step(this.simulated)
    await step(this.real)
  }

  /** Writes to all partitions, or to those named, and waits until whoever is in sync has it. */
  async write(records: number, partitions: readonly TopicPartition[] = this.#partitions): Promise<Observation> {
    await this.both(async (twin) => {
      await Promise.all(partitions.map(({ topic, partition }) => twin.write(topic, partition, records)))
    })
    return this.same()
  }

  async kill(...brokers: readonly number[]): Promise<void> {
    await this.both((twin) => twin.kill(...brokers))
  }

  async stop(broker: number): Promise<void> {
    await this.both((twin) => twin.stop(broker))
  }

  /** Empty disks take the place of all log directories of a stopped broker that hold a partition of this scenario. */
  async replaceDisks(broker: number): Promise<void> {
    const byDisk = new Map(
      this.#partitions.map(({ topic, partition }) => [this.placement(broker, topic, partition), { topic, partition }]),
    )
    await this.both(async (twin) => {
      for (const { topic, partition } of byDisk.values()) await twin.replaceDiskOf(broker, topic, partition)
    })
  }

  async start(...brokers: readonly number[]): Promise<void> {
    await this.both((twin) => twin.start(...brokers))
  }

  /** What any broker of each answers to one request. */
  async answered(what: string, ask: (client: WireClient) => Promise<number>): Promise<number> {
    const simulated = await onAny(this.simulated, ask)
    expect(await onAny(this.real, ask), `${what}: Kafka's answer, against the simulator's`).toBe(simulated)
    return simulated
  }

  /** ElectLeaders 2; the code that both answer. */
  elect(kind: 'preferred' | 'unclean', topic: string, partition: number): Promise<number> {
    return this.answered(`${kind} election of ${topic}-${partition}`, async (client) => {
      const { errorCode, replicaElectionResults } = await client.send(ElectLeaders, 2, {
        electionType: kind === 'preferred' ? 0 : 1,
        topicPartitions: [{ topic, partitions: [partition] }],
        timeoutMs: 30_000,
      })
      return errorCode !== 0 ? errorCode : (replicaElectionResults[0]?.partitionResult[0]?.errorCode ?? -1)
    })
  }

  /** AlterPartitionReassignments 0, as anybody's tool may send it; the code that both answer. */
  reassign(topic: string, partition: number, replicas: readonly number[] | null): Promise<number> {
    return this.answered(`re-ordering ${topic}-${partition}`, async (client) => {
      const { errorCode, responses } = await client.send(AlterPartitionReassignments, 0, {
        topics: [{ name: topic, partitions: [{ partitionIndex: partition, replicas }] }],
      })
      return errorCode !== 0 ? errorCode : (responses[0]?.partitions[0]?.errorCode ?? -1)
    })
  }

  /** Plans and carries out on both, as kafka-unclean-recovery does; the outcomes, which have to be the same. */
  async recover(
    partitions: readonly TopicPartition[] = this.#partitions,
    further: Partial<PlanningOptions> = {},
  ): Promise<PartitionOutcome[]> {
    const simulated = await recover(this.simulated, partitions, further)
    const real = await recover(this.real, partitions, further)
    expect(withoutTexts(real), 'outcome of our recovery on Kafka, against that on the simulator').toEqual(
      withoutTexts(simulated),
    )
    return simulated
  }

  /** What both show, once the real brokers have settled. */
  async same(): Promise<Observation> {
    const simulated = await observe(this.simulated.runningPorts(), this.#partitions)
    return settled('what Kafka shows', simulated, () => observe(this.real.runningPorts(), this.#partitions))
  }

  /** What `repair` says of a broker's directory on both, once the real brokers have settled. What it has seen it remembers. */
  async sameRepair(broker: number, disk: string, writtenOff: readonly TopicPartition[] = []): Promise<RepairView> {
    const topics = new Set(this.#partitions.map(({ topic }) => topic))
    const read = (twin: Twin, memory: Memory, frozen: boolean) => {
      memory.frozen = frozen
      return readView(twin.runningPorts(), { broker, path: twin.pathOf(broker, disk), topics, writtenOff }, memory)
    }
    const { simulated, real } = this.#seen
    const readReal = () => read(this.real, real, true)
    const same = await settled('what repair says on Kafka', await read(this.simulated, simulated, true), readReal)
    await read(this.simulated, simulated, false)
    await read(this.real, real, false)
    return same
  }

  /** The same as `same`, of one partition. */
  async sameOf(topic: string, partition = 0): Promise<ObservedPartition> {
    const found = (await this.same()).partitions[partitionName({ topic, partition })]
    if (found === undefined) throw new Error(`${topic}-${partition} was not observed`)
    return found
  }
}

/** Until Kafka shows the same as the simulator did; twice, so that nothing that only passes by is taken for it. */
async function settled<T>(what: string, simulated: T, readReal: () => Promise<T>): Promise<T> {
  let real: T | null = null
  let times = 0
  try {
    await until(
      `${what} to be the same as on the simulator`,
      async () => {
        real = await readReal()
        times = isDeepStrictEqual(real, simulated) ? times + 1 : 0
        return times === 2 ? { done: undefined } : { seen: real }
      },
      { deadlineMs: SETTLING_MS, everyMs: 100 },
    )
  } catch (error) {
    if (!(error instanceof GaveUpWaitingError) || real === null) throw error
    expect(real, `${what}, against the simulator`).toEqual(simulated)
    throw error
  }
  return simulated
}

async function onAny<T>(twin: Twin, ask: (client: WireClient) => Promise<T>): Promise<T> {
  const [port] = twin.runningPorts()
  if (port === undefined) throw new Error(`${twin.name}: no broker runs`)
  const client = await WireClient.connect(port)
  try {
    return await ask(client)
  } finally {
    client.close()
  }
}

async function recover(
  twin: Twin,
  partitions: readonly TopicPartition[],
  further: Partial<PlanningOptions>,
): Promise<PartitionOutcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-recovery-twin-'))
  try {
    return await withOurCluster(twin.runningPorts(), async (cluster) => {
      const { plan, context, capabilities } = await planRecovery(
        cluster,
        { kind: 'named', partitions },
        planningOptions(further),
      )
      const events = applyPlan(
        cluster,
        plan,
        { journals: journalsIn(folder), clock: systemClock },
        {
          context,
          mode: capabilities.mode,
          readOnly: false,
          electionAttempts: 3,
          recoveryDurationMs: 10_000,
          requestTimeoutMs: 10_000,
          timeLimitMs: null,
          stop: null,
        },
      )
      for (;;) {
        const { done, value } = await events.next()
        if (done === true) return [...value.outcome]
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutTexts(outcomes: readonly PartitionOutcome[]): object[] {
  return outcomes.map(({ error, ...rest }) => ({ ...rest, hasError: error !== null }))
}
