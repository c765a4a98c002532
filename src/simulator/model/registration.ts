/** What the controller has on record for one partition. Never changed in place: each change is a new object. */
export interface Registration {
  /** The assignment, in order; during a reassignment the target followed by what is being removed. */
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
  readonly elr: readonly number[]
  readonly lastKnownElr: readonly number[]
  /** -1: none. */
  readonly leader: number
  readonly leaderEpoch: number
  readonly removing: readonly number[]
  readonly adding: readonly number[]
}

export const NO_LEADER = -1

export function hasLeader(registration: Registration): boolean {
  return registration.leader !== NO_LEADER
}

export function isReassigning({ removing, adding }: Registration): boolean {
  return removing.length > 0 || adding.length > 0
}

export function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => value === b[index]))
}
