import type { WatchedCluster } from '../cluster/watcher.js'
import type { Diagnosis } from '../recovery/diagnosis.js'
import type { Draft } from '../recovery/draft.js'
import type { Notice } from '../recovery/live/notices.js'

/** Where this console is, as the header says it. */
export interface Place {
  /** The profile's label, else the first bootstrap server. What the operator types to confirm. */
  readonly name: string
  readonly readOnly: boolean
  /** The options that connect a command line to the same cluster, for lines to copy. Never a secret. */
  readonly connectionOptions: string
  /** One line that says what to try, in a demo; null: no demo. */
  readonly lesson: string | null
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
}
