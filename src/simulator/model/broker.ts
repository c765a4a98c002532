import { History } from './history.js'

/** up: unfenced. fenced: its port answers, but it is in no Metadata answer. down: its port is closed. */
export type BrokerState = 'up' | 'fenced' | 'down'

export class SimulatedBroker {
  readonly id: number
  readonly rack: string | null
  /** log.dirs as it is now; removeLogDir takes one out. */
  logDirs: readonly string[]
  /** log.dirs as the scenario began. */
  readonly configuredLogDirs: readonly string[]
  readonly failedLogDirs: Set<string>
  /** metadata.log.dir; may be one of log.dirs. */
  readonly metadataLogDir: string
  readonly responseDelayMs: number
  /** How long this broker's view of the metadata lags behind the controller, ms. */
  readonly metadataDelayMs: number
  readonly state: History<BrokerState>
  /** Where it listens; 0 before it ever did. Kept over restarts. */
  port = 0
  /**
   * Whether its last stop left a clean shutdown file in every directory that it will start with. If not, the controller takes it
   * out of every ISR and ELR when it registers again (KIP-966).
   */
  stoppedCleanly: boolean
  /** How far it had read the metadata log when it stopped, and when (ms); null: not while this cluster runs. */
  stoppedAt: { readonly end: number; readonly at: number } | null = null
  /** Its registration's epoch, a metadata offset. */
  brokerEpoch: number

  constructor(init: {
    readonly id: number
    readonly rack: string | null
    readonly logDirs: readonly string[]
    readonly failedLogDirs: readonly string[]
    readonly metadataLogDir: string
    readonly responseDelayMs: number
    readonly metadataDelayMs: number
    readonly state: BrokerState
    readonly stoppedCleanly: boolean
  }) {
    this.id = init.id
    this.rack = init.rack
    this.logDirs = init.logDirs
    this.configuredLogDirs = init.logDirs
    this.failedLogDirs = new Set(init.failedLogDirs)
    this.metadataLogDir = init.metadataLogDir
    this.responseDelayMs = init.responseDelayMs
    this.metadataDelayMs = init.metadataDelayMs
    this.state = new History(init.state)
    this.stoppedCleanly = init.stoppedCleanly
    this.brokerEpoch = init.id
  }

  get isUp(): boolean {
    return this.state.current === 'up'
  }

  isOnline(logDir: string): boolean {
    return !this.failedLogDirs.has(logDir)
  }

  /** Without any good log directory, or without the one of its metadata, a broker exits (4.4.0: LogManager, ReplicaManager). */
  get canRun(): boolean {
    return this.isOnline(this.metadataLogDir) && this.logDirs.some((dir) => this.isOnline(dir))
  }
}
