import { randomBytes } from 'node:crypto'
import { errorText } from '../../text/error-text.js'
import { RefusedError } from '../refused.js'
import { JOURNAL_FORMAT, type JournalEntry } from './entry.js'
import {
  CLOSED_SUFFIX,
  describeUnfinished,
  type FoundJournal,
  isUnfinished,
  OPEN_SUFFIX,
  openJournals,
} from './found.js'
import { encodeLine } from './line.js'
import type { ProcessTable } from './process-table.js'
import type { JournalFile, JournalStorage } from './storage.js'

export interface JournalPlace {
  readonly storage: JournalStorage
  readonly processes: ProcessTable
  /** Wall clock; for people who read the file, nothing follows from it. */
  readonly now: () => Date
}

export interface JournalHeader {
  readonly purpose: 'apply' | 'restore'
  readonly planId: string | null
  readonly clusterId: string
  /** What it may grow to, about; so much room is asked for before the first write. */
  readonly bytes: number
}

/** A journal being written. One writer, one entry at a time. */
export class Journal {
  private failed: string | null = null

  constructor(
    private readonly storage: JournalStorage,
    private readonly file: JournalFile,
    readonly name: string,
    private readonly now: () => Date,
    private seq: number,
  ) {}

  get path(): string {
    return this.storage.pathOf(this.name)
  }

  /** Why an entry could not be written; null: each could. After a failure nothing new is to be begun on the strength of this journal. */
  get failure(): string | null {
    return this.failed
  }

  /** Resolves when the entry is on the disk. */
  async append(entry: JournalEntry): Promise<void> {
    try {
      await this.file.append(encodeLine({ seq: this.seq, at: this.now().toISOString(), entry }))
    } catch (error) {
      this.failed ??= errorText(error)
      throw error
    }
    this.seq += 1
  }

  /** All is settled or reported: nothing is left for `restore`. */
  async close(): Promise<void> {
    try {
      await this.append({ type: 'closed' })
    } finally {
      await this.file.close()
    }
    await this.storage.rename(this.name, this.name.slice(0, -OPEN_SUFFIX.length) + CLOSED_SUFFIX)
  }

  /** Leaves it for `restore`, which need not wait until this process has ended. */
  async suspend(reason: string): Promise<void> {
    try {
      await this.append({ type: 'suspended', reason })
    } finally {
      await this.file.close()
    }
  }
}

/**
 * Starts a journal, or throws RefusedError: where an interrupted run has left one of this cluster (unless the purpose is to
 * restore it), where another process is at work on this cluster, or where there is no room or no permission.
 *
 * Two processes on one machine: each first writes its own file and then looks for others. So if both start at once, at least
 * one sees the other and gives way, perhaps both; no lock file can be left behind, and none needs to be taken over.
 */
export async function startJournal(place: JournalPlace, header: JournalHeader): Promise<Journal> {
  const { storage, processes, now } = place
  refuseIfTaken(await attempt(place, header, () => openJournals(storage, processes)), header)
  const started = now().toISOString()
  const name = `${started.replaceAll(':', '')}-${randomBytes(4).toString('hex')}${OPEN_SUFFIX}`
  return attempt(place, header, async () => {
    await storage.probe(header.bytes)
    const journal = new Journal(storage, await storage.create(name), name, now, 0)
    try {
      await journal.append({
        type: 'opened',
        format: JOURNAL_FORMAT,
        purpose: header.purpose,
        planId: header.planId,
        clusterId: header.clusterId,
        startedAt: started,
        owner: processes.self(),
      })
      const others = (await openJournals(storage, processes)).filter((other) => other.name !== name)
      refuseIfTaken(others, header)
    } catch (error) {
      await journal.close().catch(() => {})
      throw error
    }
    return journal
  })
}

function refuseIfTaken(journals: readonly FoundJournal[], { clusterId, purpose }: JournalHeader): void {
  for (const journal of journals) {
    const of = journal.contents?.clusterId ?? null
    if (of !== null && of !== clusterId) continue
    if (journal.holder === 'running') {
      const pid = journal.contents?.owner?.pid ?? 'unknown'
      throw new RefusedError(
        'running',
        `another kafka-recovery (process ${pid}) is changing this cluster now: wait until it has ended (${journal.path})`,
      )
    }
    if (purpose === 'apply' && isUnfinished(journal)) {
      throw new RefusedError('unfinishedJournal', describeUnfinished(journal))
    }
  }
}

async function attempt<T>({ storage }: JournalPlace, { purpose }: JournalHeader, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof RefusedError) throw error
    const why = errorText(error)
    // What is to be restored lies in this folder, and in no other.
    const way = purpose === 'restore' ? 'free space in it' : 'free space or name another folder in KAFKA_RECOVERY_HOME'
    throw new RefusedError(
      'journalUnavailable',
      `cannot write the journal in ${storage.pathOf('')}: ${why}; nothing was sent; ${way}`,
      { cause: error },
    )
  }
}

/** Takes over a journal that an interrupted run has left, to write down what becomes of it. */
export async function takeOverJournal(place: JournalPlace, found: FoundJournal): Promise<Journal> {
  const file = await place.storage.open(found.name)
  const journal = new Journal(place.storage, file, found.name, place.now, found.contents?.nextSeq ?? 0)
  try {
    await journal.append({ type: 'taken-over' })
  } catch (error) {
    await file.close()
    throw error
  }
  return journal
}
