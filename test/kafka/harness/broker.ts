import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DescribeLogDirs } from '../../../src/protocol/rpc/describe-log-dirs.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import type { AnyRpc, RequestInput, ResponseOf } from '../../../src/protocol/schema/rpc.js'
import type { KafkaProcess } from './kafka-process.js'
import { type UntilOptions, until } from './until.js'
import { WireClient } from './wire.js'

const STORAGE_ERROR = 56
// A directory under the name of the checkpoint's temporary file: its next writing, within 5 s, fails, and Kafka takes the
// log directory offline. The data stays (kafka-facts).
const CHECKPOINT_IN_THE_WAY = 'replication-offset-checkpoint.tmp'

export interface StartOptions {
  /** Formats log directories that have no meta.properties first, as an operator does after replacing a disk. */
  readonly format?: boolean
  /** up: unfenced (default). answering: its port answers, whatever the controller thinks of it. */
  readonly until?: 'up' | 'answering'
}

/** One broker of a test cluster, and what can befall it. */
export class TestBroker {
  #client: WireClient | null = null
  #logDirs: readonly string[]

  constructor(
    readonly id: number,
    readonly port: number,
    logDirs: readonly string[],
    private readonly process: KafkaProcess,
    private readonly formatArguments: readonly string[],
  ) {
    this.#logDirs = logDirs
  }

  /** log.dirs of its server.properties. */
  get logDirs(): readonly string[] {
    return this.#logDirs
  }

  get isRunning(): boolean {
    return this.process.isRunning
  }

  /** Starts the JVM without waiting for anything. */
  async launch({ format = false }: StartOptions = {}): Promise<void> {
    if (format) await this.process.launch('format-and-start', this.formatArguments)
    else await this.process.launch('start')
  }

  /** Waits until it answers, and (unless told otherwise) until it sees itself as unfenced. */
  async untilStarted({ until: state = 'up' }: StartOptions = {}): Promise<void> {
    await this.process.untilAnswering()
    if (state === 'answering') return
    await until(`broker ${this.id} to be unfenced`, async () => {
      const alive = await this.aliveBrokers()
      return alive.includes(this.id) ? { done: undefined } : { seen: { alive } }
    })
  }

  /** Starts it and waits. */
  async start(options: StartOptions = {}): Promise<void> {
    await this.launch(options)
    await this.untilStarted(options)
  }

  /** SIGKILL: as if the machine had lost power, though the page cache survives. */
  async kill(): Promise<void> {
    this.#disconnect()
    await this.process.end('SIGKILL')
  }

  /** SIGTERM: a controlled shutdown. */
  async stop(): Promise<void> {
    this.#disconnect()
    await this.process.end('SIGTERM')
  }

  /** kafka-storage format --ignore-formatted on the stopped broker. */
  async formatMissingDirs(): Promise<void> {
    await this.process.launch('format', this.formatArguments)
  }

  /** Takes a log directory of the running broker offline for real; it must hold a replica. Resolves when the broker has noticed. */
  async failLogDir(path: string, options?: UntilOptions): Promise<void> {
    await mkdir(join(this.#own(path), CHECKPOINT_IN_THE_WAY))
    await until(
      `broker ${this.id} to take ${path} offline`,
      async () => {
        const { results } = await this.rpc(DescribeLogDirs, 4, { topics: null })
        const state = results.find(({ logDir }) => logDir === path)
        return state?.errorCode === STORAGE_ERROR ? { done: undefined } : { seen: results }
      },
      options,
    )
  }

  /** Fails a log directory without which it does not go on (metadata.log.dir); resolves when it has exited. The cause is removed then. */
  async exitByFailedLogDir(path: string, options?: UntilOptions): Promise<void> {
    await mkdir(join(this.#own(path), CHECKPOINT_IN_THE_WAY))
    await until(
      `broker ${this.id} to exit`,
      () => (this.isRunning ? { seen: 'still running' } : { done: undefined }),
      options,
    )
    this.#disconnect()
    await this.undoFailedLogDir(path)
  }

  /** Removes the cause; the broker uses the directory again after a restart. */
  async undoFailedLogDir(path: string): Promise<void> {
    await rmdir(join(this.#own(path), CHECKPOINT_IN_THE_WAY))
  }

  /** What a replaced disk looks like: the directory is there and holds nothing, not even meta.properties. */
  async emptyLogDir(path: string): Promise<void> {
    if (this.isRunning) throw new Error(`stop broker ${this.id} before emptying ${path}`)
    for (const entry of await readdir(this.#own(path))) await rm(join(path, entry), { recursive: true })
  }

  /** Sets log.dirs in the stopped broker's server.properties: `log.dirs=A,B`. What lies in a directory that is left out stays there. */
  async setLogDirs(line: string): Promise<void> {
    await this.process.editProperties(line)
    this.#logDirs = line.replace(/^log\.dirs=/, '').split(',')
  }

  /** The log directory in which this broker keeps the partition, looked up on disk: works also while it is stopped. */
  logDirOf(topic: string, partition: number): string {
    const found = this.logDirs.filter((path) => existsSync(join(path, `${topic}-${partition}`)))
    const [path] = found
    if (path === undefined || found.length > 1) {
      throw new Error(`broker ${this.id} has ${topic}-${partition} in ${found.length} log directories, not in one`)
    }
    return path
  }

  /** Ids of the brokers that this broker believes to be alive and unfenced. */
  async aliveBrokers(): Promise<number[]> {
    const { brokers } = await this.rpc(Metadata, 9, { topics: [], allowAutoTopicCreation: false })
    return brokers.map(({ nodeId }) => nodeId).sort((a, b) => a - b)
  }

  /** Sends one request to this broker. */
  async rpc<R extends AnyRpc>(
    definition: R,
    version: number,
    body: RequestInput<R>,
    deadlineMs?: number,
  ): Promise<ResponseOf<R>> {
    if (this.#client === null || this.#client.closed) this.#client = await WireClient.connect(this.port)
    return this.#client.send(definition, version, body, deadlineMs)
  }

  log(): Promise<string> {
    return this.process.log()
  }

  /** Ends it the hard way, for the end of a test. */
  dispose(): Promise<void> {
    return this.kill()
  }

  #own(path: string): string {
    if (!this.logDirs.includes(path)) throw new Error(`${path} is no log directory of broker ${this.id}`)
    return path
  }

  #disconnect(): void {
    this.#client?.close()
    this.#client = null
  }
}
