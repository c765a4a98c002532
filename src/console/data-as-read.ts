import type { Watcher } from '../cluster/watcher.js'
import { emptyDraft } from '../recovery/drafts/draft.js'
import type { LiveDiagnosis } from '../recovery/use-cases/live-diagnosis.js'
import type { ConsoleData, Place } from './console-data.js'
import { followPlan } from './planning/follow.js'

/** Whoever reads the cluster. */
export interface Readers {
  readonly watcher: Pick<Watcher, 'current'>
  readonly live: Pick<LiveDiagnosis, 'current' | 'notices'>
}

/** What a console knows when it opens. */
export function firstData(place: Place, { watcher, live }: Readers, now: Date): ConsoleData {
  return {
    place,
    now,
    watched: watcher.current(),
    diagnosis: live.current(),
    notices: live.notices(),
    draft: null,
    firstReadAt: null,
    alarmsFollowed: new Map(),
    stoppedForRepair: new Map(),
    sent: [],
    ran: [],
    repairs: new Map(),
    command: null,
    noted: null,
    notingProblem: null,
    recordTimes: new Map(),
    earlierDraft: null,
    plan: null,
    run: null,
    finished: null,
    unfinished: [],
    restore: null,
  }
}

/** The data with what was read last; its plan follows. */
export function asRead(data: ConsoleData, { watcher, live }: Readers): ConsoleData {
  const diagnosis = live.current()
  const watched = watcher.current()
  return followPlan({
    ...data,
    watched,
    diagnosis,
    notices: live.notices(),
    draft: data.draft ?? (diagnosis === null ? null : emptyDraft(diagnosis.clusterId)),
    firstReadAt: data.firstReadAt ?? watched.snapshot?.readAt ?? null,
  })
}
