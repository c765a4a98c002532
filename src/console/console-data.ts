import type { WatchedCluster } from '../cluster/watcher.js'
import type { ProfileColour, RepairCommands } from '../config/profiles.js'
import type { StoppedForRepair } from '../recovery/diagnosis/decision-groups.js'
import type { Diagnosis } from '../recovery/diagnosis/diagnosis.js'
import type { Draft } from '../recovery/drafts/draft.js'
import type { FoundJournal } from '../recovery/journal/found.js'
import type { Notice } from '../recovery/live/notices.js'
import type { Alarm } from '../recovery/returns/alarms.js'
import type { RecordTimeRead } from '../recovery/use-cases/last-record-time.js'
import type { NotedDirectory } from '../repair/use-cases/note-directories.js'
import type { FinishedRun, RunUnderWay } from './applying/run-progress.js'
import type { OpenedPlan } from './planning/opened-plan.js'
import type { CommandRun } from './repairing/command-run.js'
import type { RepairState } from './repairing/repair-state.js'
import type { RestoreState } from './restoring/restore-state.js'

/** Where this console is, as the header says it. */
export interface Place {
  /** The profile's label, else the first bootstrap server. What the operator types to confirm. */
  readonly name: string
  readonly readOnly: boolean
  /** Colour of the saved profile. */
  readonly colour: ProfileColour | null
  /** How this program was started, for lines to copy: `kafka-recovery`, or `node /opt/.../kafka-recovery.js`. */
  readonly program: string
  /** The options that connect a command line to the same cluster, for lines to copy. Never a secret. */
  readonly connectionOptions: string
  /** One line that says what to try, in a demo; null: no demo. */
  readonly lesson: string | null
  /** The profile's commands for a broker's host; null: it has none. */
  readonly repairCommands: RepairCommands | null
}

/** All that the screens are a function of. Immutable: a new one for each change. */
export interface ConsoleData {
  readonly place: Place
  /** For ages; goes on once a second. */
  readonly now: Date
  readonly watched: WatchedCluster
  /** Null: nothing was read yet. */
  readonly diagnosis: Diagnosis | null
  /** Oldest first. */
  readonly notices: readonly Notice[]
  /** Null until the cluster's id is known. */
  readonly draft: Draft | null
  /** Choices of an earlier console that were not taken up yet, and when they were saved. */
  readonly earlierDraft: { readonly draft: Draft; readonly savedAt: Date } | null
  /** What the Plan screen shows; null: nothing was planned yet. */
  readonly plan: OpenedPlan | null
  /** A recovery under way. */
  readonly run: RunUnderWay | null
  /** The last one that ended here. */
  readonly finished: FinishedRun | null
  /** What interrupted runs have left on this cluster, to be restored. */
  readonly unfinished: readonly FoundJournal[]
  /** What the Restore screen shows; null: it was never opened. */
  readonly restore: RestoreState | null
  /** When the first read was made: what was so then has been so "before" it. Null: nothing was read yet. */
  readonly firstReadAt: Date | null
  /** Alarms whose steps were opened, by broker: the steps go on when the broker is stopped and the alarm itself ends. */
  readonly alarmsFollowed: ReadonlyMap<number, Alarm>
  /** As the live diagnosis was told. */
  readonly stoppedForRepair: StoppedForRepair
  /** What this console sent to the cluster; oldest first. Empty: every screen may say that nothing was. */
  readonly sent: readonly SentEntry[]
  /** Commands of repairs that this console ran on this machine; oldest first. */
  readonly ran: readonly SentEntry[]
  /** Repairs that were opened, by repairKey. */
  readonly repairs: ReadonlyMap<string, RepairState>
  /** The command of a repair that runs, or the last one that ran; null: none was. */
  readonly command: CommandRun | null
  /** What is remembered of log directories; null: it was not looked at yet. */
  readonly noted: readonly NotedDirectory[] | null
  /** Why that cannot be kept for later, one line; null: it can. */
  readonly notingProblem: string | null
  /** Times of last records that the operator asked for, by `recordTimeKey`. */
  readonly recordTimes: ReadonlyMap<string, RecordTimeRead>
}

/** Something that this console sent and that changes the cluster, as the Activity view tells it. */
export interface SentEntry {
  readonly at: Date
  /** One sentence: "Elected 37 of 40 (plan 1f3a...): 2 failed, 1 stale." Not escaped. */
  readonly text: string
}
