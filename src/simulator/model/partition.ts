import { History } from './history.js'
import type { Registration } from './registration.js'
import { emptyLog, type ReplicaLog } from './replica-log.js'

export interface SimulatedTopic {
  readonly name: string
  /** In Kafka's text form. */
  id: string
  /** Overrides of the topic; changed by IncrementalAlterConfigs. */
  readonly config: Map<string, string>
  /** By partition index, without gaps. */
  partitions: SimulatedPartition[]
}

/** Makes a generated partition's logs when one is looked at: 200,000 partitions hold none in memory. */
export type LogSource = (partition: number, broker: number) => ReplicaLog | null

export class SimulatedPartition {
  readonly topic: SimulatedTopic
  readonly index: number
  readonly registration: History<Registration>
  /** Logs that were given or have changed; others come from the source. */
  #logs: Map<number, ReplicaLog | null> | null
  readonly #source: LogSource | null

  constructor(
    topic: SimulatedTopic,
    index: number,
    registration: Registration,
    logs: Map<number, ReplicaLog> | null,
    source: LogSource | null,
  ) {
    this.topic = topic
    this.index = index
    this.registration = new History(registration)
    this.#logs = logs
    this.#source = source
  }

  /** The log on that broker's disk, also when the broker is down; null: it has no replica of this partition. */
  log(broker: number): ReplicaLog | null {
    const known = this.#logs?.get(broker)
    if (known !== undefined) return known
    return this.#source === null ? null : this.#source(this.index, broker)
  }

  setLog(broker: number, log: ReplicaLog | null): void {
    if (this.#logs === null) this.#logs = new Map()
    this.#logs.set(broker, log)
  }

  /** The log, made anew and empty in `logDir` where there is none. */
  logOrEmpty(broker: number, logDir: string): ReplicaLog {
    return this.log(broker) ?? emptyLog(logDir)
  }
}
