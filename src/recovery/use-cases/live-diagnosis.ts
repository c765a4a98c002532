import type { Capabilities } from '../../cluster/cluster.js'
import { eachInSlices, type Slices, sharedSlices } from '../../cluster/slices.js'
import { type ClusterSnapshot, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import type { Watcher } from '../../cluster/watcher.js'
import { errorText } from '../../text/error-text.js'
import type { Clock } from '../apply/clock.js'
import type { StoppedForRepair } from '../diagnosis/decision-groups.js'
import { type Diagnosis, type DiagnosisChanges, findPartition } from '../diagnosis/diagnosis.js'
import { type Assembled, assemble } from '../live/assemble.js'
import { composeDiagnosis } from '../live/compose.js'
import { renewContext } from '../live/context.js'
import { type Arrived, type ClusterToRead, LogSchedule, type ScheduleOptions } from '../live/log-schedule.js'
import { alarmNotices, changedBrokers, leaderNotices, logDirNotices, type Notice } from '../live/notices.js'
import { planUnplanned } from '../live/planning.js'
import { changesOf, NO_CHANGES, sameSurroundings } from '../live/snapshot-changes.js'
import { takeUpLogs, takeUpReassignments } from '../live/take-up.js'
import { mergeOffline, type Tracked } from '../live/tracked.js'
import type { AcceptableCode, Strategy } from '../planning/plan.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { isEmptyLog } from '../planning/rank.js'
import {
  rememberSeenEmpty,
  type SeenEmpty,
  type SeenEmptyStorage,
  sameSeen,
  seenEmptyAway,
} from '../returns/seen-empty.js'
import { electionsBy, type MethodChoice } from './plan-recovery.js'

/** What the operator may change while it runs. */
export interface DiagnosisChoices {
  readonly strategy: Strategy
  readonly method: MethodChoice
  /** Codes overruled for every partition. */
  readonly accepted: ReadonlySet<AcceptableCode>
  readonly stoppedForRepair: StoppedForRepair
}

export interface LiveOptions extends DiagnosisChoices, ScheduleOptions {
  /** Keeps which brokers were seen with empty logs; absent: that is remembered as long as it runs. */
  readonly memory?: SeenEmptyStorage
}

export interface LiveDiagnosis {
  /** Null: nothing was read of the cluster yet. */
  current(): Diagnosis | null
  /** The newest last; no more than the last NOTICES_KEPT. A new list whenever one is added. */
  notices(): readonly Notice[]
  /** Called after each change of either. @returns ends the subscription */
  subscribe(listener: () => void): () => void
  /** Decides everything anew with these. */
  change(choices: Partial<DiagnosisChoices>): void
  /** This program is electing leaders for these: theirs do not come by themselves. @returns ends that */
  electing(partitions: readonly TopicPartition[]): () => void
  /** Reads the cluster and all logs now; resolves when what follows from them is there. */
  readNow(): Promise<void>
  stop(): void
}

export const NOTICES_KEPT = 2_000

type LiveClock = Pick<Clock, 'monotonicMs' | 'now'>

/**
 * Keeps a diagnosis of a watched cluster up to date. Logs are read of partitions that are offline anew, or that changed, at once; of all
 * of them with the full reads of the watcher, but slower. Never two log reads at once. Sends nothing that writes. Long work is done in
 * slices; where nothing changed nothing is published.
 */
export function diagnoseLive(
  cluster: ClusterToRead,
  watcher: Watcher,
  options: LiveOptions,
  clock: LiveClock,
): LiveDiagnosis {
  return new RunningDiagnosis(cluster, watcher, options, clock)
}

class RunningDiagnosis implements LiveDiagnosis {
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: () => void
  readonly #schedule: LogSchedule
  #choices: DiagnosisChoices
  #diagnosis: Diagnosis | null = null
  #notices: readonly Notice[] = []
  #stopped = false

  #snapshot: ClusterSnapshot | null = null
  #fullReadAt: Date | null = null
  #readFailure: string | null = null
  readonly #dirs = new Map<string, 'failed' | 'good'>()
  readonly #electing = new Set<string>()
  #tracked: Tracked[] = []
  #context: PlanningContext | null = null
  #capabilities: Capabilities | null = null
  #assembled: Assembled | null = null
  /** All that is remembered, of brokers that are up, too. */
  #seenEmpty: readonly SeenEmpty[] = []
  /** The choices have changed. */
  #decideAnew = false

  #confirmedAt: Date | null = null
  #logProblems: readonly string[] = []
  #methodProblem: string | null = null

  #work: Promise<void> | null = null
  #workLeft = false

  constructor(
    cluster: ClusterToRead,
    private readonly watcher: Watcher,
    private readonly options: LiveOptions,
    private readonly clock: LiveClock,
  ) {
    this.#choices = options
    const progressed = () => {
      this.#compose(NO_CHANGES)
      this.#tell([], true)
    }
    this.#schedule = new LogSchedule(cluster, options, clock, progressed, () => void this.#update())
    this.#unsubscribe = watcher.subscribe(() => void this.#update())
    void this.#update()
  }

  current = () => this.#diagnosis
  notices = () => this.#notices

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  change(choices: Partial<DiagnosisChoices>): void {
    this.#choices = { ...this.#choices, ...choices }
    this.#decideAnew = true
    void this.#update()
  }

  electing(partitions: readonly TopicPartition[]): () => void {
    const names = partitions.map(partitionName)
    for (const name of names) this.#electing.add(name)
    return () => {
      for (const name of names) this.#electing.delete(name)
    }
  }

  async readNow(): Promise<void> {
    await this.watcher.readNow()
    // A log read that is under way began before whatever this is asked for: another one follows it.
    this.#schedule.demandAll()
    do {
      await this.#update()
      await this.#schedule.ended
      await this.#update()
    } while (!this.#stopped && this.#schedule.busy)
  }

  stop(): void {
    this.#stopped = true
    this.#unsubscribe()
    this.#listeners.clear()
  }

  /** Works off whatever has changed; never twice at the same time, and once more if something comes in meanwhile. */
  #update(): Promise<void> {
    this.#workLeft = true
    this.#work ??= this.#workOff().finally(() => {
      this.#work = null
    })
    return this.#work
  }

  async #workOff(): Promise<void> {
    while (this.#workLeft && !this.#stopped) {
      this.#workLeft = false
      await this.#step()
    }
  }

  async #step(): Promise<void> {
    const slices = sharedSlices
    const watched = this.watcher.current()
    const notices = this.#failureNotices(watched.failure)
    let changes = NO_CHANGES
    let changed = this.#decideAnew
    this.#decideAnew = false
    let costsAnew = false
    const { snapshot } = watched
    if (snapshot !== null && snapshot !== this.#snapshot) {
      const seen = await this.#see(snapshot, slices)
      changes = seen.changes
      changed ||= seen.changed
      notices.push(...seen.notices)
    }
    if (watched.fullReadAt !== this.#fullReadAt) {
      // What stopping a broker would cost depends on partitions that are well.
      costsAnew = (this.#assembled?.alarms.length ?? 0) > 0
      if (this.#fullReadAt !== null) this.#schedule.everythingRead()
      this.#fullReadAt = watched.fullReadAt
    }
    const arrived = this.#schedule.take()
    if (arrived !== null && (await this.#takeUp(arrived, slices))) changed = true
    if (await this.#plan(slices)) changed = true
    if (snapshot === null || this.#context === null || this.#stopped) return this.#tell(notices, false)

    if (changed || costsAnew) {
      const before = this.#assembled
      const now = await this.#assemble(snapshot, this.#context, slices)
      changed ||= alarmTexts(now) !== alarmTexts(before)
      if (changed) this.#assembled = now
      if (before !== null) {
        notices.push(...alarmNotices(before.alarms, now.alarms, changes.gotLeader, snapshot.readAt))
      }
      changes = { ...changes, regrouped: now.regrouped }
    }
    const begun = this.#schedule.begin(this.#tracked)
    const toPublish = changed || begun || arrived?.seen === true || this.#saysOtherwise()
    if (toPublish) this.#compose(changes)
    this.#tell(notices, toPublish)
  }

  /** What follows from all; once more if the alarms in it show that a broker was emptied, or that one is so no more. */
  async #assemble(snapshot: ClusterSnapshot, context: PlanningContext, slices: Slices): Promise<Assembled> {
    const { stoppedForRepair } = this.#choices
    const before = seenEmptyAway(this.#seenEmpty, snapshot)
    const first = await assemble(this.#tracked, snapshot, context, { stoppedForRepair, seenEmpty: before }, slices)
    const memory = this.options.memory ?? null
    this.#seenEmpty = await rememberSeenEmpty(
      memory,
      this.#seenEmpty,
      first.alarms,
      snapshot,
      hasRecordsIn(first.partitions),
    )
    const seenEmpty = seenEmptyAway(this.#seenEmpty, snapshot)
    if (sameSeen(before, seenEmpty)) return first
    const { regrouped, ...second } = await assemble(
      this.#tracked,
      snapshot,
      context,
      { stoppedForRepair, seenEmpty },
      slices,
    )
    return { ...second, regrouped: [...first.regrouped, ...regrouped] }
  }

  #failureNotices(failure: string | null): Notice[] {
    if (failure === this.#readFailure) return []
    const at = this.clock.now()
    this.#readFailure = failure
    return [failure === null ? { at, kind: 'readWorksAgain' } : { at, kind: 'readFailed', text: failure }]
  }

  async #see(
    snapshot: ClusterSnapshot,
    slices: Slices,
  ): Promise<{ changes: DiagnosisChanges; changed: boolean; notices: Notice[] }> {
    const before = this.#snapshot
    const at = snapshot.readAt
    this.#schedule.snapshotSeen()
    const brokers = before === null ? [] : changedBrokers(before.brokers, snapshot.brokers)
    if (brokers.length > 0) this.#schedule.demandCapabilities()
    const notices: Notice[] = [
      ...brokers.map((change): Notice => ({ at, kind: 'broker', ...change })),
      ...logDirNotices(this.#dirs, snapshot.logDirs ?? [], at),
    ]
    const since = { kind: before === null ? ('before' as const) : ('at' as const), at }
    const changedIds = new Set(brokers.map(({ broker }) => broker))
    const merged = await mergeOffline(this.#tracked, snapshot, changedIds, since, slices)
    this.#tracked = merged.tracked
    this.#snapshot = snapshot
    const changes = changesOf(merged)
    if (before !== null && changes.appeared.length > 0) {
      notices.push({ at, kind: 'wentOffline', partitions: changes.appeared })
    }
    if (changes.vanished.length > 0) notices.push({ at, kind: 'vanished', partitions: changes.vanished })
    notices.push(...leaderNotices(changes.gotLeader, (partition) => !this.#electing.has(partitionName(partition)), at))
    const renewed = await this.#renewContext(snapshot, slices)
    const changed =
      renewed ||
      before === null ||
      merged.changed ||
      changes !== NO_CHANGES ||
      brokers.length > 0 ||
      !sameSurroundings(before, snapshot)
    return { changes, changed, notices }
  }

  async #renewContext(snapshot: ClusterSnapshot, slices: Slices): Promise<boolean> {
    const before = this.#context
    const topics = new Set<string>()
    await eachInSlices(this.#tracked, slices, 256, ({ entry }) => void topics.add(entry.topic))
    const { context, affects } = renewContext(before, snapshot, topics, this.#choices)
    if (context === before) return false
    this.#context = context
    await eachInSlices(this.#tracked, slices, 256, (one) => {
      if (one.evidence !== null && affects(one.entry.topic)) one.unplanned = true
    })
    return true
  }

  /** @returns whether anything came that was not known */
  async #takeUp(arrived: Arrived, slices: Slices): Promise<boolean> {
    this.#logProblems = arrived.read.problems
    this.#capabilities = arrived.read.capabilities ?? this.#capabilities
    const { changed, incomplete, confirmedAt } = await takeUpLogs(arrived, slices)
    if (incomplete) this.#schedule.waitForSnapshot()
    this.#confirmedAt = confirmedAt ?? this.#confirmedAt
    const before = this.#context
    if (before !== null) this.#context = await takeUpReassignments(arrived, before, slices)
    return changed || this.#context !== before
  }

  /** @returns whether anything was decided */
  async #plan(slices: Slices): Promise<boolean> {
    const elections = this.#elections()
    if (this.#context === null || elections === null) return false
    const { strategy, accepted } = this.#choices
    const before = this.#context
    if (elections !== before.elections || strategy !== before.strategy || accepted !== before.accepted) {
      this.#context = { ...before, elections, strategy, accepted }
      await eachInSlices(this.#tracked, slices, 256, (one) => {
        one.unplanned = one.evidence !== null
      })
    }
    return planUnplanned(this.#tracked, this.#context, slices)
  }

  /** Null: what the brokers offer was not read yet, or is not what was asked for by name. */
  #elections(): PlanningContext['elections'] | null {
    if (this.#capabilities === null) return null
    this.#methodProblem = null
    try {
      return electionsBy(this.#choices.method, this.#capabilities)
    } catch (error) {
      this.#methodProblem = errorText(error)
      return null
    }
  }

  #problems(): readonly string[] {
    return this.#methodProblem === null ? this.#logProblems : [...this.#logProblems, this.#methodProblem]
  }

  /** Nothing about partitions, but what was read, or could not be, is another than the last diagnosis says. */
  #saysOtherwise(): boolean {
    const said = this.#diagnosis
    return said?.confirmedAt !== this.#confirmedAt || said.problems.join('\n') !== this.#problems().join('\n')
  }

  #compose(changes: DiagnosisChanges): void {
    const assembled = this.#assembled
    const context = this.#context
    const snapshot = this.#snapshot
    if (assembled === null || context === null || snapshot === null) return
    this.#diagnosis = composeDiagnosis({
      sequence: (this.#diagnosis?.sequence ?? 0) + 1,
      snapshot,
      context,
      assembled,
      reading: this.#schedule.reading,
      confirmedAt: this.#confirmedAt,
      changes,
      problems: this.#problems(),
    })
  }

  #tell(notices: readonly Notice[], published: boolean): void {
    if (this.#stopped || (notices.length === 0 && !published)) return
    if (notices.length > 0) this.#notices = [...this.#notices, ...notices].slice(-NOTICES_KEPT)
    for (const listener of this.#listeners) listener()
  }
}

function hasRecordsIn(partitions: Diagnosis['partitions']) {
  return (broker: number, partition: TopicPartition) => {
    const replicas = findPartition(partitions, partition)?.decided?.evidence?.replicas ?? []
    const replica = replicas.find((one) => one.broker === broker)
    return replica?.kind === 'read' && !isEmptyLog(replica)
  }
}

function alarmTexts(assembled: Assembled | null): string {
  return (assembled?.alarms ?? []).map(({ text }) => text).join('\n')
}
