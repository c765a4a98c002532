import { onlyCopies, type RepairWay, type StepsInput } from './repair-step.js'

/**
 * Why a way is taken. operator: it was named. gone: the directory is out of log.dirs already. emptied: its log was seen empty, so there is no old
 * directory to keep. onlyCopies: nobody else has some of it. notSeenToFail: its broker is only away. failed: it failed, and others have
 * all of it. returned: it is back, or not told.
 */
export type WayReason = 'operator' | 'gone' | 'emptied' | 'onlyCopies' | 'notSeenToFail' | 'failed' | 'returned'

export interface AdvisedWay {
  readonly way: RepairWay
  readonly reason: Exclude<WayReason, 'operator'>
}

/** The way that a repair goes, why, and what it was before where facts have changed it. */
export interface TakenWay {
  readonly way: RepairWay
  readonly reason: WayReason
  /** The way before; null: facts have not changed it. */
  readonly changedFrom: RepairWay | null
}

export type WayFacts = Pick<StepsInput, 'affected' | 'phase' | 'held' | 'seenEmptiedAt'> & {
  /** The directory is not among the broker's any more. */
  readonly gone: boolean
}

/**
 * Which way to take: with partitions that nobody else has the old directory must stay; else a new disk, as it keeps the broker's capacity.
 * After it has happened: the way that it has gone. Pure.
 */
export function adviseWay({ affected, phase, held, seenEmptiedAt, gone }: WayFacts): AdvisedWay {
  if (gone) return { way: 'remove', reason: 'gone' }
  if (seenEmptiedAt !== null || phase === 'emptyBack') return { way: 'replace', reason: 'emptied' }
  if (phase !== 'failed' && phase !== 'away') return { way: 'replace', reason: 'returned' }
  if (onlyCopies(affected).length > 0) return { way: 'keep', reason: 'onlyCopies' }
  // A broker that is only away has its old disks until somebody says otherwise.
  const failed = held.source === 'noted' || held.source === 'derived'
  return failed ? { way: 'replace', reason: 'failed' } : { way: 'keep', reason: 'notSeenToFail' }
}

/** The facts that may change a way that was taken for the reason named. All others leave it: they come from the repair itself. */
const CHANGES: Readonly<Record<WayReason, ReadonlySet<WayReason>>> = {
  operator: new Set(),
  gone: new Set(),
  emptied: new Set(['gone']),
  onlyCopies: new Set(['gone', 'emptied']),
  notSeenToFail: new Set(['gone', 'emptied', 'onlyCopies', 'failed']),
  failed: new Set(['gone', 'emptied', 'onlyCopies']),
  returned: new Set(['gone', 'emptied', 'onlyCopies', 'failed', 'notSeenToFail']),
}

/** `chosen`: named by the operator; null: it was not. `before`: as it was taken at the reading before; null: this is the first. Pure. */
export function takeWay(chosen: RepairWay | null, before: TakenWay | null, facts: WayFacts): TakenWay {
  const advised = adviseWay(facts)
  // A log that is empty at this moment is not the old disk, whoever said so before.
  const refused = chosen === 'keep' && facts.phase === 'emptyBack'
  if (chosen !== null && !refused) return { way: chosen, reason: 'operator', changedFrom: null }
  const last = before ?? (refused ? { way: 'keep' as const, reason: 'operator' as const, changedFrom: null } : null)
  if (last === null) return { ...advised, changedFrom: null }
  if (!refused && !CHANGES[last.reason].has(advised.reason)) return last
  return { ...advised, changedFrom: last.way === advised.way ? last.changedFrom : last.way }
}

/** Why, in words. `at`: when its log was seen empty, in words; null: it was not. */
export function wayReasonText({ reason }: TakenWay, at: string | null): string {
  return {
    operator: 'as you chose',
    gone: 'it is out of log.dirs already',
    emptied: `its log was seen empty${at === null ? '' : ` at ${at}`}: that is not the old disk`,
    onlyCopies: 'nobody else has a copy of some of it',
    notSeenToFail: 'it was not seen to fail, its broker is away',
    failed: 'it failed, and nothing is known to be on it alone',
    returned: 'it was not seen how it came back',
  }[reason]
}
