import { readFile, writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { ApiVersions } from '../../../src/protocol/rpc/api-versions.js'
import type { KafkaJars } from './jars.js'
import { noteEnded, noteStarted } from './leftovers.js'
import { until } from './until.js'
import { WireClient } from './wire.js'

export type Task = 'start' | 'format' | 'format-and-start' | 'zookeeper'

// Small and quick to start: one collector thread, no second compiler. Logs go to standard error, which is a file.
const JVM_OPTIONS = [
  '-Xmx300m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.logFile=System.err',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
  '-Dlog4j2.disable.jmx=true',
]
const LOG_TAIL_LINES = 25

export interface KafkaProcessOptions {
  readonly name: string
  readonly jars: KafkaJars
  readonly properties: string
  readonly logFile: string
  readonly port: number
  readonly systemProperties?: Readonly<Record<string, string>>
  /** Resolves when what listens at the port serves; left out: it answers ApiVersions. */
  readonly probe?: (port: number) => Promise<void>
}

interface Running {
  readonly pid: number
  readonly exited: Promise<string>
  hasExited: string | null
  kill(signal: NodeJS.Signals): void
}

async function answersApiVersions(port: number): Promise<void> {
  const client = await WireClient.connect(port)
  try {
    await client.send(ApiVersions, 0, {})
  } finally {
    client.close()
  }
}

/** One node's JVM, over its starts and ends. */
export class KafkaProcess {
  #running: Running | null = null

  constructor(private readonly options: KafkaProcessOptions) {}

  get isRunning(): boolean {
    return this.#running !== null && this.#running.hasExited === null
  }

  /** Runs the launcher; for 'format' until it has ended. `arguments_` go to kafka-storage format. */
  async launch(task: Task, arguments_: readonly string[] = []): Promise<void> {
    if (this.isRunning) throw new Error(`${this.options.name} is running already`)
    const { jars, properties, logFile, name, systemProperties = {} } = this.options
    const more = Object.entries(systemProperties).map(([key, value]) => `-D${key}=${value}`)
    const log = { file: logFile, append: true }
    const child = execa(
      'java',
      [...JVM_OPTIONS, ...more, '-cp', jars.classpath, 'KafkaNode', task, properties, ...arguments_],
      {
        stdin: 'pipe',
        stdout: log,
        stderr: log,
        buffer: false,
        reject: false,
        forceKillAfterDelay: false,
      },
    )
    const { pid } = child
    if (pid === undefined) {
      const { shortMessage } = await child
      throw new Error(`${name} could not be started: ${shortMessage ?? 'java did not start'}. Is java installed?`)
    }
    noteStarted(pid)
    const running: Running = {
      pid,
      hasExited: null,
      kill: (signal) => child.kill(signal),
      exited: child.then(({ exitCode, signal }) => {
        noteEnded(pid)
        running.hasExited = signal ?? `exit code ${exitCode}`
        return running.hasExited
      }),
    }
    this.#running = running
    if (task === 'format') {
      const ended = await running.exited
      if (ended !== 'exit code 0') throw new Error(`formatting ${name} ended with ${ended}:\n${await this.logTail()}`)
    }
  }

  /** Puts this line in the place of the one in server.properties that sets the same key, as an operator edits it; read at the next start. */
  async editProperties(line: string): Promise<void> {
    if (this.isRunning) throw new Error(`${this.options.name} reads its properties only when it starts`)
    const key = line.slice(0, line.indexOf('=') + 1)
    const lines = (await readFile(this.options.properties, 'utf8')).split('\n')
    const at = lines.findIndex((one) => one.startsWith(key))
    if (key === '' || at < 0) throw new Error(`${this.options.name} has no setting ${line}`)
    lines[at] = line
    await writeFile(this.options.properties, lines.join('\n'))
  }

  /** Resolves as soon as its port answers; fails at once, with the end of its log, if it ends instead. */
  async untilAnswering(): Promise<void> {
    const { name, port, probe = answersApiVersions } = this.options
    const outcome = await until(`${name} to answer on port ${port}`, async () => {
      const ended = this.#running?.hasExited
      if (ended != null) return { done: ended }
      await probe(port)
      return { done: null }
    })
    if (outcome !== null) throw new Error(`${name} ended with ${outcome} instead of starting:\n${await this.logTail()}`)
  }

  /** Sends the signal and waits for the end. Without effect on a process that has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM', deadlineMs = 60_000): Promise<void> {
    const running = this.#running
    if (running === null) return
    if (running.hasExited === null) running.kill(signal)
    await until(
      `${this.options.name} to end after ${signal}`,
      () => (running.hasExited === null ? { seen: 'still running' } : { done: running.hasExited }),
      { deadlineMs, everyMs: 10 },
    )
  }

  /** Everything it has logged, over all its starts. */
  log(): Promise<string> {
    return readFile(this.options.logFile, 'utf8')
  }

  async logTail(): Promise<string> {
    return (await this.log()).trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')
  }
}
