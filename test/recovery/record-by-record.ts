import type { ReplicaLog } from '../../src/cluster/replica-log.js'
import { replicaLog } from './scenario-evidence.js'

/**
 * A partition simulated record by record: the judge of the interval arithmetic. It knows no epoch cache and no truncation
 * protocol, only records that are the same or not.
 */
export interface SimulatedRecord {
  readonly offset: number
  readonly epoch: number
}

export interface SimulatedLog {
  logStart: number
  /** Contiguous offsets from logStart. */
  records: SimulatedRecord[]
  /** Epochs of deleted records by offset, as far as this log ever held them. */
  deleted: Map<number, number>
}

export type Step =
  | { readonly kind: 'elect'; readonly broker: number }
  | { readonly kind: 'append'; readonly records: number }
  | { readonly kind: 'follow'; readonly broker: number; readonly fetch: number }
  | { readonly kind: 'retain'; readonly broker: number; readonly drop: number }
  | { readonly kind: 'wipe'; readonly broker: number }

export function logEnd(log: SimulatedLog): number {
  return log.logStart + log.records.length
}

/** Runs steps over `count` replicas that begin empty. No leader: appends and follows do nothing. */
export function simulate(count: number, steps: readonly Step[]): SimulatedLog[] {
  const logs: SimulatedLog[] = Array.from({ length: count }, () => ({ logStart: 0, records: [], deleted: new Map() }))
  let leader: number | null = null
  let epoch = -1
  for (const step of steps) {
    switch (step.kind) {
      case 'elect':
        leader = step.broker
        epoch += 1
        break
      case 'append':
        if (leader === null) break
        for (let i = 0; i < step.records; i++) logs[leader]!.records.push({ offset: logEnd(logs[leader]!), epoch })
        break
      case 'follow':
        if (leader !== null && leader !== step.broker) follow(logs[leader]!, logs[step.broker]!, step.fetch)
        break
      case 'retain':
        dropHead(logs[step.broker]!, step.drop)
        break
      case 'wipe':
        logs[step.broker] = { logStart: 0, records: [], deleted: new Map() }
        // Its broker was restarted: nobody leads until the next election.
        if (leader === step.broker) leader = null
        break
    }
  }
  return logs
}

function dropHead(log: SimulatedLog, drop: number): void {
  const dropped = Math.min(drop, log.records.length)
  for (const { offset, epoch } of log.records.slice(0, dropped)) log.deleted.set(offset, epoch)
  log.logStart += dropped
  log.records = log.records.slice(dropped)
}

/** The follower becomes a copy of a stretch of the leader: cut where they differ, head raised, more fetched. */
function follow(leader: SimulatedLog, follower: SimulatedLog, fetch: number): void {
  const stays = keptUnder(leader, follower)
  if (stays.size === 0) {
    // It begins anew: what it once held is no past of what it will hold.
    follower.deleted.clear()
  } else {
    const first = Math.min(...stays)
    for (const { offset, epoch } of follower.records) if (offset < first) follower.deleted.set(offset, epoch)
  }
  follower.records = follower.records.filter(({ offset }) => stays.has(offset))
  follower.logStart = follower.records[0]?.offset ?? leader.logStart
  const next = logEnd(follower)
  follower.records.push(...leader.records.filter(({ offset }) => offset >= next).slice(0, fetch))
}

/** The first offset of the follower that differs from what the leader holds or once held. */
export function partFrom(leader: SimulatedLog, follower: SimulatedLog): number {
  for (const { offset, epoch } of follower.records) {
    const there = leader.deleted.get(offset) ?? leader.records[offset - leader.logStart]?.epoch
    if (there !== epoch) return offset
  }
  return logEnd(follower)
}

/** Offsets that stay on the follower: from the leader's start, as long as the records are the same. */
export function keptUnder(leader: SimulatedLog, follower: SimulatedLog): Set<number> {
  const kept = new Set<number>()
  for (const { offset, epoch } of follower.records) {
    if (offset < leader.logStart) continue
    const same = leader.records[offset - leader.logStart]
    if (same === undefined || same.epoch !== epoch) break
    kept.add(offset)
  }
  return kept
}

export function lostUnder(leader: SimulatedLog, follower: SimulatedLog): SimulatedRecord[] {
  const kept = keptUnder(leader, follower)
  return follower.records.filter(({ offset }) => !kept.has(offset))
}

/** What a broker would tell of this log. */
export function toldLog(broker: number, log: SimulatedLog, highWatermark = logEnd(log)): ReplicaLog {
  const epochs: [number, number][] = []
  for (const { offset, epoch } of log.records) {
    if (epochs.at(-1)?.[0] !== epoch) epochs.push([epoch, offset])
  }
  return replicaLog(broker, { logStartOffset: log.logStart, logEndOffset: logEnd(log), epochs, highWatermark })
}
