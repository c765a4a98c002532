import type { Cluster } from '../cluster/cluster.js'
import type { Watcher } from '../cluster/watcher.js'
import type { DraftStorage } from '../recovery/drafts/draft-storage.js'
import type { JournalPlace } from '../recovery/journal/journal.js'
import type { LiveDiagnosis } from '../recovery/use-cases/live-diagnosis.js'
import type { MethodChoice } from '../recovery/use-cases/plan-recovery.js'
import type { RunRecords } from '../repair/run-records.js'
import type { Runs } from './applying/runs.js'
import type { RepairKeeper } from './repairing/repair-keeper.js'

/** What the screens' actions work with: the use cases, and the ports that they are handed. */
export interface ConsoleServices {
  readonly cluster: Cluster
  readonly watcher: Watcher
  readonly live: LiveDiagnosis
  readonly drafts: DraftStorage
  readonly journals: Omit<JournalPlace, 'now'>
  readonly readOnly: boolean
  /** How elections are made; `auto` writes nothing in ZooKeeper mode. */
  readonly method: MethodChoice
  /** Folder of the reports. */
  readonly reportsFolder: string
  readonly runs: Runs
  /** What repairs are read with, and where their commands are recorded. */
  readonly repairs: { readonly keeper: RepairKeeper; readonly records: RunRecords }
  /** ms */
  readonly requestTimeoutMs: number
  /** ms */
  readonly recoveryDurationMs: number
}
