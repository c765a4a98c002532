import { basename, dirname, join } from 'node:path'
import type { TestCluster } from '../harness/cluster.js'
import { untilSessionOver } from '../harness/state-z.js'
import { until } from '../harness/until.js'
import type { Twin, TwinTopic } from './twin.js'

/** Which log directory holds a replica, by its name (`disk1`, ...): a broker chooses by itself. */
export type Placement = (broker: number, topic: string, partition: number) => string

/** A scenario on real brokers. They are those of a cluster that other scenarios use before and after. */
export class RealTwin implements Twin {
  readonly name = 'Kafka'
  readonly #cluster: TestCluster
  /** When each broker was stopped, ms: a replaced disk is to be started only when its old session is over. */
  readonly #stoppedAt = new Map<number, number>()
  readonly #toFormat = new Set<number>()

  private constructor(cluster: TestCluster) {
    this.#cluster = cluster
  }

  /** Starts what other scenarios left stopped, and makes the topics. */
  static async open(cluster: TestCluster, topics: readonly TwinTopic[]): Promise<RealTwin> {
    await cluster.start(...cluster.brokers.filter(({ isRunning }) => !isRunning).map(({ id }) => id))
    await cluster.untilAlive(cluster.brokers.map(({ id }) => id))
    await cluster.createTopics(topics)
    return new RealTwin(cluster)
  }

  /** Where the brokers have put the replicas of these topics, once all are there. */
  async placement(topics: readonly TwinTopic[]): Promise<Placement> {
    const disks = new Map<string, string>()
    for (const { name, assignment } of topics) {
      for (const [partition, replicas] of assignment.entries()) {
        for (const id of replicas) {
          const path = await until(`broker ${id} to make a folder for ${name}-${partition}`, () => ({
            done: this.#cluster.broker(id).logDirOf(name, partition),
          }))
          disks.set(`${id} ${name}-${partition}`, basename(path))
        }
      }
    }
    return (broker, topic, partition) => disks.get(`${broker} ${topic}-${partition}`) ?? ''
  }

  runningPorts(): number[] {
    return this.#cluster.brokers.filter(({ isRunning }) => isRunning).map(({ port }) => port)
  }

  async write(topic: string, partition: number, records: number): Promise<void> {
    await this.#cluster.produce(
      topic,
      partition,
      Array.from({ length: records }, (_, n) => `${topic}-${partition} ${n}`),
    )
  }

  async kill(...brokers: readonly number[]): Promise<void> {
    for (const id of brokers) {
      await this.#cluster.broker(id).kill()
      await this.#noticedAsGone(id)
    }
  }

  async stop(broker: number): Promise<void> {
    await this.#cluster.broker(broker).stop()
    this.#stoppedAt.set(broker, Date.now())
    await this.#noticedAsGone(broker)
  }

  async start(...brokers: readonly number[]): Promise<void> {
    const replaced = brokers.filter((id) => this.#toFormat.has(id))
    for (const id of replaced) {
      await untilSessionOver(this.#stoppedAt.get(id) ?? Date.now())
      await this.#cluster.broker(id).start({ format: true })
      this.#toFormat.delete(id)
    }
    await this.#cluster.start(...brokers.filter((id) => !replaced.includes(id)))
    await this.#cluster.untilAlive(this.#runningIds())
  }

  async replaceDiskOf(broker: number, topic: string, partition: number): Promise<void> {
    const stopped = this.#cluster.broker(broker)
    await stopped.emptyLogDir(stopped.logDirOf(topic, partition))
    this.#toFormat.add(broker)
  }

  async removeDisk(broker: number, disk: string): Promise<void> {
    const stopped = this.#cluster.broker(broker)
    await stopped.undoFailedLogDir(this.pathOf(broker, disk))
    await stopped.setLogDirs(`log.dirs=${stopped.logDirs.filter((path) => basename(path) !== disk).join()}`)
  }

  pathOf(broker: number, disk: string): string {
    const [first = ''] = this.#cluster.broker(broker).logDirs
    return join(dirname(first), disk)
  }

  async failDiskOf(broker: number, topic: string, partition: number): Promise<void> {
    const running = this.#cluster.broker(broker)
    const path = running.logDirOf(topic, partition)
    if (path !== running.logDirs[0]) {
      await running.failLogDir(path)
      return
    }
    // Its metadata lies there, too: it exits.
    await running.exitByFailedLogDir(path)
    await this.#noticedAsGone(broker)
  }

  #runningIds(): number[] {
    return this.#cluster.brokers.filter(({ isRunning }) => isRunning).map(({ id }) => id)
  }

  async #noticedAsGone(id: number): Promise<void> {
    await this.#cluster.untilFenced(id)
    await this.#cluster.untilAlive(this.#runningIds())
  }
}
