import { brokerLists } from '../protocol/schema/shared-lists.js'
import type { SimulatedBroker } from './model/broker.js'
import { type LogSource, SimulatedPartition, type SimulatedTopic } from './model/partition.js'
import type { Registration } from './model/registration.js'
import { BYTES_PER_OFFSET, type EpochEntry, type ReplicaLog } from './model/replica-log.js'

/**
 * Topics given by their numbers, for tests of scale. All follows from `seed`, topic name and partition number:
 * - assignments go round the brokers; the preferred leader leads where it is alive;
 * - `offlineShare` of the partitions have no leader. Where brokers are down, such a partition has one of them as its last leader, in
 *   ELR and last known ELR, with the longest log: nobody alive has a role, so the state stays as it is. Where none is down, nobody
 *   is in ISR, ELR or last known ELR (what is left after an unclean return of all);
 * - logs of offline partitions part: followers lag by up to some hundred offsets, and every fifth has a longer tail on an older
 *   epoch; logs of others are equal;
 * - whatever partition has no broker alive is offline too, beyond the share.
 * Logs are worked out each time one is looked at, and equal lists are shared, so that 200,000 partitions start in two seconds.
 */
export interface GeneratedTopic {
  readonly name: string
  readonly partitionCount: number
  readonly replicationFactor: number
  readonly offlineShare: number
  readonly seed: number
}

interface Placement {
  readonly replicas: readonly number[]
  readonly offline: boolean
  /** Whoever led last, or leads. */
  readonly lastLeader: number
}

export function generatePartitions(
  topic: SimulatedTopic,
  spec: GeneratedTopic,
  brokers: readonly SimulatedBroker[],
  minIsr: number,
  elrEnabled: boolean,
  bornAt: number,
): SimulatedPartition[] {
  const salt = hash(spec.seed, ...[...spec.name].map((character) => character.codePointAt(0) ?? 0))
  const byId = new Map(brokers.map((broker) => [broker.id, broker]))
  const places = new Placements(spec, salt, byId)
  const source: LogSource = (index, broker) => {
    const host = byId.get(broker)
    const place = places.of(index)
    return host === undefined || !place.replicas.includes(broker) ? null : generateLog(salt, index, place, host, bornAt)
  }
  const partitions: SimulatedPartition[] = []
  for (let index = 0; index < spec.partitionCount; index++) {
    const place = places.of(index)
    const isUsable = (id: number): boolean => places.isUsable(index, id)
    const registration = register(place, isUsable, minIsr, elrEnabled, lastEpochOf(salt, index))
    partitions.push(new SimulatedPartition(topic, index, registration, null, source))
  }
  return partitions
}

class Placements {
  readonly #spec: GeneratedTopic
  readonly #salt: number
  readonly #brokers: ReadonlyMap<number, SimulatedBroker>
  readonly #all: readonly number[]
  readonly #alive: readonly number[]
  readonly #down: readonly number[]
  readonly #failed: ReadonlySet<string>

  constructor(spec: GeneratedTopic, salt: number, brokers: ReadonlyMap<number, SimulatedBroker>) {
    this.#spec = spec
    this.#salt = salt
    this.#brokers = brokers
    this.#all = [...brokers.keys()]
    // As the scenario begins: later events do not move what was generated.
    this.#alive = [...brokers.values()].filter((broker) => broker.isUp).map(({ id }) => id)
    this.#failed = new Set(
      [...brokers.values()].flatMap(({ id, failedLogDirs }) => [...failedLogDirs].map((dir) => `${id} ${dir}`)),
    )
    this.#down = this.#all.filter((id) => !this.#alive.includes(id))
  }

  of(index: number): Placement {
    const roundRobin = this.#roundRobin(index)
    const wanted = fraction(hash(this.#salt, index, 1)) < this.#spec.offlineShare
    const replicas = brokerLists.of(
      wanted ? this.#withOneDown(roundRobin, index) : this.#withOneAlive(roundRobin, index),
    )
    const usable = replicas.find((id) => this.isUsable(index, id))
    if (!wanted && usable !== undefined) return { replicas, offline: false, lastLeader: usable }
    const gone = replicas.find((id) => !this.isUsable(index, id))
    return { replicas, offline: true, lastLeader: gone ?? replicas[0] ?? 0 }
  }

  /** Broker up and log directory good, as the scenario begins. */
  isUsable(index: number, id: number): boolean {
    const host = this.#brokers.get(id)
    if (host === undefined || !this.#alive.includes(id)) return false
    return this.#failed.size === 0 || !this.#failed.has(`${id} ${directoryOf(this.#salt, index, host)}`)
  }

  /** As Kafka spreads replicas: the first goes round, the others follow at a growing distance. */
  #roundRobin(index: number): number[] {
    const count = this.#all.length
    const first = (index + this.#salt) % count
    const distance = Math.floor(index / count)
    const replicas: number[] = []
    for (let replica = 0; replica < this.#spec.replicationFactor; replica++) {
      const step = replica === 0 ? 0 : 1 + ((distance + replica - 1) % Math.max(1, count - 1))
      replicas.push(this.#all[(first + step) % count] ?? 0)
    }
    return replicas
  }

  #withOneDown(replicas: readonly number[], index: number): readonly number[] {
    const down = this.#down[hash(this.#salt, index, 2) % Math.max(1, this.#down.length)]
    if (down === undefined || replicas.some((id) => this.#down.includes(id))) return replicas
    return [down, ...replicas.slice(1)]
  }

  #withOneAlive(replicas: readonly number[], index: number): readonly number[] {
    const alive = this.#alive[hash(this.#salt, index, 3) % Math.max(1, this.#alive.length)]
    if (alive === undefined || replicas.some((id) => this.#alive.includes(id))) return replicas
    return [alive, ...replicas.slice(1)]
  }
}

function register(
  place: Placement,
  isUsable: (id: number) => boolean,
  minIsr: number,
  elrEnabled: boolean,
  lastEpoch: number,
): Registration {
  const { replicas, lastLeader } = place
  const common = { replicas, removing: brokerLists.of([]), adding: brokerLists.of([]) }
  if (!place.offline) {
    const isr = brokerLists.of(replicas.filter(isUsable))
    const wanted = Math.min(minIsr, replicas.length) - isr.length
    const elr = elrEnabled ? replicas.filter((id) => !isUsable(id)).slice(0, Math.max(0, wanted)) : []
    return {
      ...common,
      leader: lastLeader,
      leaderEpoch: lastEpoch,
      isr,
      elr: brokerLists.of(elr),
      lastKnownElr: brokerLists.of([]),
    }
  }
  const roles = isUsable(lastLeader) ? [] : [lastLeader]
  return {
    ...common,
    leader: -1,
    leaderEpoch: lastEpoch + 1,
    isr: brokerLists.of(elrEnabled ? [] : roles),
    elr: brokerLists.of(elrEnabled ? roles : []),
    lastKnownElr: brokerLists.of(elrEnabled ? roles : []),
  }
}

function lastEpochOf(salt: number, index: number): number {
  return 1 + (hash(salt, index, 4) % 6)
}

function generateLog(salt: number, index: number, place: Placement, host: SimulatedBroker, bornAt: number): ReplicaLog {
  const lastEpoch = lastEpochOf(salt, index)
  const length = 1000 + (hash(salt, index, 5) % 20_000)
  const logStartOffset = hash(salt, index, 6) % 3 === 0 ? Math.floor(length / 4) : 0
  const history: EpochEntry[] = []
  for (let epoch = 0; epoch <= lastEpoch; epoch++) {
    history.push([epoch, Math.floor((length * epoch) / (lastEpoch + 1))])
  }
  let end = length
  let epochs = history
  if (place.offline && host.id !== place.lastLeader) {
    const kind = hash(salt, index, host.id, 7) % 5
    if (kind === 0) {
      // Led by itself once, or missed the last epoch: a longer tail on an older one.
      epochs = history.slice(0, -1)
      end = length + (hash(salt, index, host.id, 8) % 300)
    } else {
      end = Math.max(logStartOffset, length - (hash(salt, index, host.id, 9) % 400))
    }
  }
  let first = 0
  epochs.forEach(([, start], position) => {
    if (start <= logStartOffset) first = position
  })
  const kept = epochs
    .slice(first)
    .map(([epoch, start]): EpochEntry => [epoch, Math.max(start, logStartOffset)])
    .filter(([, start]) => start < end)
  const age = hash(salt, index, host.id, 10) % 60_000
  return {
    logDir: directoryOf(salt, index, host),
    logStartOffset,
    logEndOffset: end,
    highWatermark: place.offline ? Math.max(logStartOffset, Math.min(end, length - 400)) : end,
    epochs: kept,
    sizeBytes: (end - logStartOffset) * BYTES_PER_OFFSET,
    lastTimestamp: end > logStartOffset ? bornAt - age : -1,
  }
}

/** From the directories as the scenario names them: one that is taken out later still held what it held. */
function directoryOf(salt: number, index: number, host: SimulatedBroker): string {
  const dirs = host.configuredLogDirs
  return dirs[hash(salt, index, host.id, 11) % dirs.length] ?? ''
}

/** A well mixed 32 bit number from some numbers (murmur-style finalizer): not for secrets, only for spread. */
function hash(...parts: readonly number[]): number {
  let state = 0x9e3779b9
  for (const part of parts) {
    state = Math.imul(state ^ (part | 0), 0x85ebca6b)
    state ^= state >>> 13
    state = Math.imul(state, 0xc2b2ae35)
    state ^= state >>> 16
  }
  return state >>> 0
}

function fraction(value: number): number {
  return value / 2 ** 32
}
