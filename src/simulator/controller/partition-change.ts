import { NO_LEADER, type Registration, sameList } from '../model/registration.js'

/**
 * online: from ISR or ELR only. preferred: the same, but the first of the list if it may lead. unclean: anyone alive, at last.
 */
export type Election = 'online' | 'preferred' | 'unclean'

export interface ChangeRequest {
  readonly election: Election
  /** Unfenced, with the replica's log directory online. */
  isAcceptable(broker: number): boolean
  /** min.insync.replicas, at most the replication factor. */
  readonly minIsr: number
  /** Whether eligible leader replicas are kept (feature eligible.leader.replicas.version, on by default from 4.1). */
  readonly elrEnabled: boolean
  readonly isr?: readonly number[]
  readonly replicas?: readonly number[]
  readonly removing?: readonly number[]
  readonly adding?: readonly number[]
  /** A broker that registered again without a clean shutdown. */
  readonly uncleanShutdown?: number
}

interface Target {
  isr: readonly number[]
  elr: readonly number[]
  replicas: readonly number[]
  removing: readonly number[]
  adding: readonly number[]
}

/**
 * What the controller makes of a partition when anything touches it: an election, a reassignment, a broker or a directory that
 * goes or comes, its own timer. All of them pass here, and all of them may elect: that is why a partition in state Z goes off at
 * any touch. Null: nothing changes.
 * Source: behaviour of Kafka 4.4.0's PartitionChangeBuilder (kafka-facts, and its byte code).
 */
export function changePartition(now: Registration, request: ChangeRequest): Registration | null {
  const target: Target = {
    isr: request.isr ?? now.isr,
    elr: now.elr,
    replicas: request.replicas ?? now.replicas,
    removing: request.removing ?? now.removing,
    adding: request.adding ?? now.adding,
  }
  completeReassignment(target)
  if (request.elrEnabled) keepEligibleReplicas(now, target, request)

  const winner = elect(now, target, request)
  /** undefined: not in the change record; the same number as before still raises the leader epoch. */
  let leader: number | undefined
  let isr: readonly number[] | undefined
  if (winner.broker !== now.leader) {
    leader = winner.broker
    if (target.elr.includes(winner.broker)) {
      target.isr = [winner.broker]
      target.elr = target.elr.filter((member) => member !== winner.broker)
    }
    if (winner.unclean) isr = [winner.broker]
  }
  // A replica that leaves the assignment raises the leader epoch, so that its broker notices.
  if (leader === undefined && now.replicas.some((member) => !target.replicas.includes(member))) leader = now.leader

  const elr = isr !== undefined || !request.elrEnabled ? [] : target.elr
  if (isr === undefined && (target.isr.length > 0 || request.elrEnabled)) isr = target.isr
  let lastKnownElr = now.lastKnownElr
  if (request.elrEnabled) {
    if (leader === NO_LEADER && lastKnownElr.length === 0) lastKnownElr = [now.leader]
    else if (leader !== undefined && leader >= 0) lastKnownElr = []
  }

  const next: Registration = {
    replicas: target.replicas,
    isr: isr ?? now.isr,
    elr,
    lastKnownElr,
    leader: leader ?? now.leader,
    leaderEpoch: leader === undefined ? now.leaderEpoch : now.leaderEpoch + 1,
    removing: target.removing,
    adding: target.adding,
  }
  return leader === undefined && sameRegistration(now, next) ? null : next
}

function sameRegistration(a: Registration, b: Registration): boolean {
  return (
    sameList(a.replicas, b.replicas) &&
    sameList(a.isr, b.isr) &&
    sameList(a.elr, b.elr) &&
    sameList(a.lastKnownElr, b.lastKnownElr) &&
    sameList(a.removing, b.removing) &&
    sameList(a.adding, b.adding)
  )
}

interface Winner {
  readonly broker: number
  readonly unclean: boolean
}

function elect(now: Registration, target: Target, request: ChangeRequest): Winner {
  const mayLead = (broker: number): boolean =>
    (target.isr.includes(broker) || (target.isr.length === 0 && target.elr.includes(broker))) &&
    request.isAcceptable(broker)
  if (request.election === 'preferred') {
    const preferred = target.replicas[0]
    if (preferred !== undefined && mayLead(preferred)) return { broker: preferred, unclean: false }
  }
  if (now.leader !== NO_LEADER && mayLead(now.leader)) return { broker: now.leader, unclean: false }
  const clean = target.replicas.find(mayLead)
  if (clean !== undefined) return { broker: clean, unclean: false }
  const [lastKnown, ...more] = now.lastKnownElr
  if (
    request.elrEnabled &&
    target.isr.length === 0 &&
    target.elr.length === 0 &&
    lastKnown !== undefined &&
    more.length === 0 &&
    request.isAcceptable(lastKnown)
  ) {
    return { broker: lastKnown, unclean: true }
  }
  if (request.election === 'unclean') {
    const anyone = target.replicas.find((member) => request.isAcceptable(member))
    if (anyone !== undefined) return { broker: anyone, unclean: true }
  }
  return { broker: NO_LEADER, unclean: false }
}

/** Under min ISR whoever leaves the ISR stays eligible, unless it stopped uncleanly (KIP-966). */
function keepEligibleReplicas(now: Registration, target: Target, request: ChangeRequest): void {
  if (target.isr.length >= request.minIsr) {
    target.elr = []
    return
  }
  const candidates = [...new Set([...target.elr, ...now.isr])].sort((a, b) => a - b)
  // In id order, as Kafka's sets of small numbers are: an ELR in another order is a change.
  target.elr = candidates.filter((member) => !target.isr.includes(member) && member !== request.uncleanShutdown)
}

/**
 * A move is done when every new replica is in sync; one that only drops replicas when all that stay are (4.4.0). Without any
 * replica in sync that stays it is not done: a leaderless partition keeps its removals pending.
 */
function completeReassignment(target: Target): void {
  const { removing, adding } = target
  if (removing.length === 0 && adding.length === 0) return
  const isr = target.isr.filter((member) => !removing.includes(member))
  const replicas = target.replicas.filter((member) => !removing.includes(member))
  if (removing.length > 0 && (isr.length === 0 || replicas.length === 0)) return
  if (!adding.every((member) => isr.includes(member))) return
  if (adding.length < removing.length && !replicas.every((member) => isr.includes(member))) return
  target.isr = isr
  target.replicas = replicas
  target.removing = []
  target.adding = []
}
