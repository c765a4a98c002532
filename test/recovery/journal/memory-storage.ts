import type { ClusterToRecover } from '../../../src/recovery/apply/ports.js'
import type { ProcessIdentity } from '../../../src/recovery/journal/entry.js'
import type { HolderState, ProcessTable } from '../../../src/recovery/journal/process-table.js'
import type { JournalFile, JournalStorage } from '../../../src/recovery/journal/storage.js'

export class PowerCut extends Error {
  override readonly name = 'PowerCut'
}

/** before: the step never happens. half: an append is written in part. after: it happens, and nobody learns of it. */
export type CutMode = 'before' | 'half' | 'after'

/** Cuts the power at a step; whatever comes later throws and does nothing. */
export class Power {
  steps = 0
  isOff = false

  constructor(
    private readonly cutAt: number = Number.POSITIVE_INFINITY,
    private readonly mode: CutMode = 'before',
  ) {}

  async step<T>(act: () => Promise<T>, half?: () => Promise<void>): Promise<T> {
    if (this.isOff) throw new PowerCut()
    this.steps += 1
    if (this.steps !== this.cutAt) return act()
    this.isOff = true
    if (this.mode === 'half') await half?.()
    if (this.mode === 'after') await act()
    throw new PowerCut()
  }

  /** A cluster as a process sees it whose power may be cut: the cluster itself lives on. */
  supply(cluster: ClusterToRecover): ClusterToRecover {
    return {
      readPartitions: (partitions) => this.step(() => cluster.readPartitions(partitions)),
      readReplicaLogs: (partitions, options) => this.step(() => cluster.readReplicaLogs(partitions, options)),
      reassignments: (partitions) => this.step(() => cluster.reassignments(partitions)),
      reorder: (orders, timeoutMs) => this.step(() => cluster.reorder(orders, timeoutMs)),
      elect: (election, timeoutMs) => this.step(() => cluster.elect(election, timeoutMs)),
    }
  }
}

/** Files that outlive the process that wrote them, as `disk` is handed from one to the next. */
export class MemoryStorage implements JournalStorage {
  /** Appends, from 1, that fail as on a full disk: from the first to the second. */
  failAppendsFrom = Number.POSITIVE_INFINITY
  failAppendsTo = Number.POSITIVE_INFINITY
  failProbe = false
  private appends = 0

  constructor(
    readonly disk: Map<string, Uint8Array> = new Map(),
    private readonly power: Power = new Power(),
  ) {}

  pathOf(name: string): string {
    return `/journals/${name}`
  }
  list(): Promise<readonly string[]> {
    return this.power.step(async () => [...this.disk.keys()])
  }
  async *read(name: string): AsyncGenerator<Uint8Array> {
    yield await this.power.step(async () => this.contents(name))
  }
  probe(): Promise<void> {
    return this.power.step(async () => {
      if (this.failProbe) throw new Error('ENOSPC: no space left on device')
    })
  }
  create(name: string): Promise<JournalFile> {
    return this.power.step(async () => {
      if (this.disk.has(name)) throw new Error('EEXIST')
      this.disk.set(name, new Uint8Array())
      return this.file(name)
    })
  }
  open(name: string): Promise<JournalFile> {
    return this.power.step(async () => {
      const bytes = this.contents(name)
      return this.file(name, bytes.length > 0 && bytes.at(-1) !== 10)
    })
  }
  rename(from: string, to: string): Promise<void> {
    return this.power.step(async () => {
      this.disk.set(to, this.contents(from))
      this.disk.delete(from)
    })
  }
  remove(name: string): Promise<void> {
    return this.power.step(async () => {
      this.disk.delete(name)
    })
  }

  private file(name: string, cut = false): JournalFile {
    let first = cut
    const put = async (bytes: Uint8Array) => {
      this.disk.set(name, Buffer.concat([this.contents(name), first ? Buffer.of(10) : Buffer.of(), bytes]))
      first = false
    }
    return {
      append: (bytes) =>
        this.power.step(
          async () => {
            this.appends += 1
            if (this.appends >= this.failAppendsFrom && this.appends <= this.failAppendsTo)
              throw new Error('ENOSPC: no space left on device')
            await put(bytes)
          },
          () => put(bytes.subarray(0, Math.floor(bytes.length / 2))),
        ),
      close: async () => {},
    }
  }

  private contents(name: string): Uint8Array {
    const bytes = this.disk.get(name)
    if (bytes === undefined) throw new Error(`ENOENT: ${name}`)
    return bytes
  }
}

/** Processes by number; those in `dead` are gone. */
export class FakeProcesses implements ProcessTable {
  readonly dead = new Set<number>()
  constructor(
    private pid = 1,
    private readonly host = 'here',
  ) {}

  /** The present process dies, the next one starts. */
  restart(): void {
    this.dead.add(this.pid)
    this.pid += 1
  }
  self(): ProcessIdentity {
    return { pid: this.pid, host: this.host, bootId: 'boot', startTicks: String(this.pid), pidNamespace: null }
  }
  stateOf(owner: ProcessIdentity): HolderState {
    if (owner.host !== this.host) return 'elsewhere'
    return this.dead.has(owner.pid) ? 'gone' : 'running'
  }
}
