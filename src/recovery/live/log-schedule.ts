import type { Cluster } from '../../cluster/cluster.js'
import type { Clock } from '../apply/clock.js'
import type { DiagnosisProgress } from '../diagnosis/diagnosis.js'
import { type LogsRead, readLogs } from './log-reader.js'
import type { Tracked } from './tracked.js'

/** Reading all logs again may take this share of the time: a sick cluster is not to be loaded. */
const READING_SHARE = 0.2

/** A log read that has ended: which partitions were asked for, at which version of each. */
export interface Arrived {
  readonly asked: readonly { readonly tracked: Tracked; readonly version: number }[]
  /** Every partition that there was. */
  readonly all: boolean
  /** It was under way for something new, and shown as such. */
  readonly seen: boolean
  readonly read: LogsRead
}

export interface ScheduleOptions {
  /** ms */
  readonly durationMs: number
  /** All logs are read again no sooner than this after the last time. ms */
  readonly rereadMs: number
}

export type ClusterToRead = Pick<Cluster, 'readReplicaLogs' | 'reassignments' | 'capabilities'>

/**
 * Which logs are read when. Of partitions that are new or changed: at once. All of them: now and then, less often where it takes
 * long. One read at a time.
 */
export class LogSchedule {
  #underWay: Promise<void> | null = null
  #arrived: Arrived | null = null
  #reading: DiagnosisProgress['reading'] = null
  #allDue = false
  #allNotBefore = 0
  #capabilitiesDue = true
  /** Something was not told: not asked for again before the cluster has been looked at anew. */
  #waiting = false

  constructor(
    private readonly cluster: ClusterToRead,
    private readonly options: ScheduleOptions,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    /** A broker has answered. */
    private readonly onProgress: () => void,
    /** There is something to be taken. */
    private readonly onArrived: () => void,
  ) {}

  /** Null: no read is under way, or one that only looks whether all is as it was. */
  get reading(): DiagnosisProgress['reading'] {
    return this.#reading
  }

  /** Resolves when the read that is under way, if any, has ended. */
  get ended(): Promise<void> {
    return this.#underWay ?? Promise.resolve()
  }

  /** Something is being read, or will be as soon as `begin` is called. */
  get busy(): boolean {
    return this.#underWay !== null || (this.#allDue && !this.#waiting)
  }

  snapshotSeen(): void {
    this.#waiting = false
  }

  /** The watcher has read everything: time for the logs, too, if it is not too soon. */
  everythingRead(): void {
    this.#allDue ||= this.clock.monotonicMs() >= this.#allNotBefore
  }

  demandAll(): void {
    this.#allDue = true
  }

  /** Other brokers may offer something else. */
  demandCapabilities(): void {
    this.#capabilitiesDue = true
  }

  waitForSnapshot(): void {
    this.#waiting = true
  }

  take(): Arrived | null {
    const arrived = this.#arrived
    this.#arrived = null
    return arrived
  }

  /** Begins a read if one is due. @returns whether one was begun that is to be seen: what is only looked at again is not */
  begin(tracked: readonly Tracked[]): boolean {
    if (this.#underWay !== null || this.#waiting) return false
    const changed = tracked.filter(({ version, readVersion }) => version !== readVersion)
    const all = this.#allDue
    const due = all ? tracked : changed
    const capabilities = this.#capabilitiesDue && tracked.length > 0
    this.#allDue = false
    if (due.length === 0 && !capabilities) return false
    const seen = changed.length > 0
    if (seen) this.#reading = { partitions: due.length, done: 0, brokers: 0 }
    const onProgress = (done: number, brokers: number) => {
      if (!seen) return
      this.#reading = { partitions: due.length, done, brokers }
      this.onProgress()
    }
    const startedAt = this.clock.monotonicMs()
    const asked = due.map((one) => ({ tracked: one, version: one.version }))
    const states = due.map(({ entry }) => entry.state)
    const expected = due.flatMap(({ evidence }) => evidence ?? [])
    const { durationMs } = this.options
    this.#underWay = readLogs(this.cluster, states, { durationMs, capabilities, expected, onProgress }).then((read) => {
      if (due.length === tracked.length) this.#notAgainBefore(startedAt)
      if (read.capabilities !== null) this.#capabilitiesDue = false
      this.#waiting = read.problems.length > 0
      this.#underWay = null
      this.#reading = null
      this.#arrived = { asked, all, seen, read }
      this.onArrived()
    })
    return seen
  }

  #notAgainBefore(startedAt: number): void {
    const now = this.clock.monotonicMs()
    this.#allNotBefore = now + Math.max(this.options.rereadMs, (now - startedAt) / READING_SHARE)
  }
}
