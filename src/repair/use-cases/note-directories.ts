import type { Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import type { WatchClock, Watcher } from '../../cluster/watcher.js'
import { errorText } from '../../text/error-text.js'
import {
  NOTHING_SEEN,
  noteSeen,
  REPLICAS_KEPT,
  type SeenCluster,
  type SeenPlacementsStorage,
} from '../seen-placements.js'

/** What is remembered of one directory, in short. */
export interface NotedDirectory {
  readonly broker: number
  readonly path: string
  readonly seenAt: Date
  /** How many replicas it had; null: too many were seen to keep them. */
  readonly replicas: number | null
  /** What it lost, until all of that is in sync again; null: nothing. */
  readonly lost: { readonly since: Date; readonly replicas: number } | null
}

export interface DirectoryNotes {
  /** By broker, then path; null: nothing was looked at yet. A new list whenever it changes. */
  current(): readonly NotedDirectory[] | null
  /** Why nothing can be kept, one line; null: it can, or was not tried. */
  problem(): string | null
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void
  /** What is being noted now, until it is kept. Never rejects. */
  readonly settled: Promise<void>
  stop(): void
}

/** Which replicas lie where changes slowly: asked again after this. ms */
const ROUTINE_MS = 300_000

interface Asked {
  readonly at: number
  /** Its directories and how they stood. */
  readonly dirs: string
  readonly fullReadAt: Date | null
}

/**
 * Notes which replicas lie in which directory while that can still be told: once a directory has failed and its broker is stopped nobody
 * knows. Asks one broker after the other, never two at once: each once in a while, and at once where a directory failed, came or went, or
 * its broker came back; as long as something lost is not back, with each full read. So a calm cluster of N brokers gets N requests in five
 * minutes. Sends nothing that writes.
 */
export function noteDirectories(
  cluster: Pick<Cluster, 'directories' | 'brokerConfig'>,
  watcher: Pick<Watcher, 'current' | 'subscribe'>,
  storage: SeenPlacementsStorage,
  clock: WatchClock,
): DirectoryNotes {
  return new RunningNotes(cluster, watcher, storage, clock)
}

class RunningNotes implements DirectoryNotes {
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: () => void
  readonly #asked = new Map<number, Asked>()
  /** Brokers whose own configuration was noted since they are up. */
  readonly #configured = new Set<number>()
  #noted: readonly NotedDirectory[] | null = null
  #problem: string | null = null
  #underWay: Promise<void> | null = null
  #stopped = false

  constructor(
    private readonly cluster: Pick<Cluster, 'directories' | 'brokerConfig'>,
    private readonly watcher: Pick<Watcher, 'current' | 'subscribe'>,
    private readonly storage: SeenPlacementsStorage,
    private readonly clock: WatchClock,
  ) {
    this.#unsubscribe = watcher.subscribe(() => this.#look())
    this.#look()
  }

  current = () => this.#noted
  problem = () => this.#problem

  get settled(): Promise<void> {
    return this.#underWay ?? Promise.resolve()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  stop(): void {
    this.#stopped = true
    this.#unsubscribe()
    this.#listeners.clear()
  }

  #look(): void {
    if (this.#underWay !== null || this.#stopped || this.#due().length === 0) return
    this.#underWay = this.#note().finally(() => {
      this.#underWay = null
      this.#look()
    })
  }

  /** Brokers to be asked now; what has changed first. */
  #due(): number[] {
    const { snapshot, fullReadAt } = this.watcher.current()
    if (snapshot?.logDirs == null) return []
    const dirs = directoriesOf(snapshot)
    const up = new Set(snapshot.brokers.flatMap(({ id, state }) => (state === 'up' ? [id] : [])))
    for (const broker of this.#asked.keys()) {
      if (up.has(broker)) continue
      this.#asked.delete(broker)
      this.#configured.delete(broker)
    }
    const many = snapshot.logDirs.reduce((sum, { replicaCount }) => sum + (replicaCount ?? 0), 0) > REPLICAS_KEPT
    const now = this.clock.now()
    const changed: number[] = []
    const routine: number[] = []
    for (const [broker, state] of dirs) {
      if (!up.has(broker)) continue
      const asked = this.#asked.get(broker)
      if (asked !== undefined && asked.dirs !== state) changed.push(broker)
      else if (asked !== undefined && this.#waitsFor(broker) && asked.fullReadAt !== fullReadAt) changed.push(broker)
      else if (asked === undefined && state.includes(FAILED)) changed.push(broker)
      // More than can be kept: then only what has failed is noted, by what the metadata calls offline.
      else if (!many && (asked === undefined || now - asked.at >= ROUTINE_MS)) routine.push(broker)
    }
    return [...changed, ...routine]
  }

  /** Something that it lost is not back. */
  #waitsFor(broker: number): boolean {
    return this.#noted?.some((dir) => dir.broker === broker && dir.lost !== null) === true
  }

  async #note(): Promise<void> {
    const { snapshot } = this.watcher.current()
    if (snapshot === null) return
    const { clusterId } = snapshot
    let seen = await this.storage.load(clusterId).catch((error: unknown) => {
      this.#problem = `what was seen of the log directories before cannot be read: ${errorText(error)}`
      return NOTHING_SEEN
    })
    if (this.#noted === null) this.#publish(seen)
    for (;;) {
      const [broker] = this.#due()
      if (broker === undefined || this.#stopped) break
      seen = await this.#askBroker(broker, seen)
      // Keys and frames come in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#problem = null
    await this.storage.save(clusterId, seen).catch((error: unknown) => {
      this.#problem = `what was seen of the log directories cannot be kept: ${errorText(error)}`
    })
    this.#publish(seen)
  }

  async #askBroker(broker: number, seen: SeenCluster): Promise<SeenCluster> {
    const before = this.watcher.current()
    const state = before.snapshot === null ? undefined : directoriesOf(before.snapshot).get(broker)
    // Whatever comes of it: not again before something changes, or it is time.
    this.#asked.set(broker, { at: this.clock.now(), dirs: state ?? '', fullReadAt: before.fullReadAt })
    const [read, config] = await Promise.all([
      this.cluster.directories(broker).catch(() => null),
      this.#configured.has(broker) ? null : this.cluster.brokerConfig(broker),
    ])
    if (config?.kind === 'read') this.#configured.add(broker)
    const { snapshot } = this.watcher.current()
    if (snapshot === null || read?.kind !== 'read') return seen
    return noteSeen(
      seen,
      {
        ...snapshot,
        logDirs: read.logDirs,
        partitions: snapshot.partitions.filter(({ replicas }) => replicas.includes(broker)),
      },
      config?.kind === 'read' ? { brokers: [{ broker, seenAt: snapshot.readAt, ...config.config }] } : {},
    )
  }

  #publish(seen: SeenCluster): void {
    if (this.#stopped) return
    this.#noted = seen.directories.map(({ broker, path, seenAt, replicas, lost }) => ({
      broker,
      path,
      seenAt,
      replicas: replicas?.length ?? null,
      lost: lost === null ? null : { since: lost.since, replicas: lost.replicas.length },
    }))
    for (const listener of this.#listeners) listener()
  }
}

const FAILED = ' offline\n'

/** How the directories of each broker stand that told of them. */
function directoriesOf({ logDirs }: ClusterSnapshot): ReadonlyMap<number, string> {
  const told = new Map<number, string>()
  for (const { broker, path, state } of logDirs ?? []) {
    told.set(broker, `${told.get(broker) ?? ''}${path} ${state}\n`)
  }
  return told
}
