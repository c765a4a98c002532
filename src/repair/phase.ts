import { type BrokerState, partitionName } from '../cluster/snapshot.js'
import type { Alarm } from '../recovery/returns/alarms.js'
import { type SeenEmpty, seenEmptyOn } from '../recovery/returns/seen-empty.js'
import type { DirectoryStanding } from './diagnosis.js'
import type { HeldPartitions } from './held-partitions.js'
import type { ReturnProgress } from './progress.js'
import type { MaybeWiped } from './wiped.js'

/**
 * Where a repair stands, as far as the cluster shows it. nothing: there is nothing to repair. failed: the broker is up, the directory is not. away:
 * the broker is stopped or fenced. emptyBack: it is up again with an emptied replica that may lead any moment (state Z). wiped: that has
 * happened, maybe. catchingUp: it is back, and copies. unknown: the directory was not told.
 */
export type RepairPhase = 'nothing' | 'failed' | 'away' | 'emptyBack' | 'wiped' | 'catchingUp' | 'unknown'

export interface PhaseInput {
  readonly broker: number
  readonly brokerState: BrokerState
  readonly standing: DirectoryStanding
  readonly held: HeldPartitions
  readonly alarms: readonly Alarm[]
  readonly wiped: readonly MaybeWiped[]
  readonly progress: ReturnProgress
  /** It was seen emptied, and that still counts. */
  readonly emptied?: boolean
}

export function phaseOf({
  broker,
  brokerState,
  standing,
  held,
  alarms,
  wiped,
  progress,
  emptied,
}: PhaseInput): RepairPhase {
  if (brokerState !== 'up') return 'away'
  switch (standing.kind) {
    case 'failed':
    case 'answersError':
      return 'failed'
    case 'online':
    case 'missing':
      break
    default:
      return 'unknown'
  }
  if (alarmsHere(broker, held, alarms).length > 0) return 'emptyBack'
  if (wiped.length > 0) return 'wiped'
  // Only what was seen to be lost can be waited for: a good directory may have followers that lag for other reasons.
  if ((held.source === 'noted' || emptied === true) && !progress.done) return 'catchingUp'
  return 'nothing'
}

/** Alarms about this broker and partitions that are or were in the directory. */
export function alarmsHere(broker: number, held: HeldPartitions, alarms: readonly Alarm[]): Alarm[] {
  const names = new Set(held.partitions.map(partitionName))
  return alarms.filter(
    (alarm) => alarm.broker === broker && alarm.partitions.some((partition) => names.has(partitionName(partition))),
  )
}

/**
 * Whether the directory is known to have been emptied: its broker is up with an empty log that may lead, or was seen so before, and is not in sync
 * since. Once others lead nothing in the cluster tells it any more. Where it is not known what the directory held, it may be the one, unless what was seen
 * empty is known to lie in others. `unplaced`: partitionName of what was noted in none (seenEmptyUnplaced). Pure.
 */
export function showsEmptied(
  broker: number,
  held: HeldPartitions,
  alarms: readonly Alarm[],
  seenEmpty: readonly SeenEmpty[],
  unplaced: ReadonlySet<string>,
): boolean {
  const empty = alarmsHere(broker, held, alarms).some(({ code }) => code === 'emptyLogMayLead')
  return (
    empty ||
    seenEmptyOn(broker, seenEmpty).some((one) => {
      const name = partitionName(one)
      return held.before.has(name) || (held.source === 'unknown' && unplaced.has(name))
    })
  )
}
