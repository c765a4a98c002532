/** A topic of a scenario; every broker of the cluster, 1 to 3, may be in it. */
export interface TwinTopic {
  readonly name: string
  /** One ordered list of broker ids for each partition. */
  readonly assignment: readonly (readonly number[])[]
  readonly config?: Readonly<Record<string, string>>
}

/**
 * What can befall a cluster in a scenario. Two of them exist, real brokers and the simulator, and both are driven by the same
 * steps. Each step is over when the controller has noticed; what followers then do may still be under way.
 */
export interface Twin {
  readonly name: string
  /** Ports of the brokers that run now. */
  runningPorts(): readonly number[]
  /** Appends records to the log of a partition's leader. */
  write(topic: string, partition: number, records: number): Promise<void>
  /** Without a clean shutdown. One after the other. */
  kill(...brokers: readonly number[]): Promise<void>
  /** A controlled shutdown. */
  stop(broker: number): Promise<void>
  /** Several start at the same time: only where their order makes no difference. */
  start(...brokers: readonly number[]): Promise<void>
  /** An empty disk takes the place of a stopped broker's log directory, the one that holds this partition. */
  replaceDiskOf(broker: number, topic: string, partition: number): Promise<void>
  /** The log directory that holds this partition fails while the broker runs. */
  failDiskOf(broker: number, topic: string, partition: number): Promise<void>
  /** A stopped broker's log directory is taken out of its log.dirs. `disk`: `disk1` or `disk2`. */
  removeDisk(broker: number, disk: string): Promise<void>
  /** The path of a broker's log directory there. */
  pathOf(broker: number, disk: string): string
}
