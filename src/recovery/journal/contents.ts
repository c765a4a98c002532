import { partitionName } from '../../cluster/snapshot.js'
import { JOURNAL_FORMAT, type JournalEntry, type JournalledOrder, type ProcessIdentity } from './entry.js'
import { LineReader } from './read-lines.js'

/** An order that, as far as the journal tells, may still be the one for the election. */
export interface LeftOrder extends JournalledOrder {
  /** When its re-ordering was last announced. Like all times here by the writer's clock; invalid dates are possible. */
  readonly announcedAt: Date
  /** How often: so many requests may have been sent. */
  readonly announcements: number
  /** When the cluster had confirmed it; null: it is not known to have been carried out. */
  readonly reorderedAt: Date | null
  /** When an election of it was last announced; it may still be carried out some time after a crash. Null: never. */
  readonly electionAt: Date | null
  /** The same for putting it back: come late, it would change an order that a later run has made. */
  readonly putBackAt: Date | null
}

/** What a journal says. Made from whatever of it can be read. */
export interface JournalContents {
  /** Null: no line told it. */
  readonly clusterId: string | null
  readonly planId: string | null
  readonly startedAt: string | null
  readonly owner: ProcessIdentity | null
  readonly state: 'open' | 'suspended' | 'closed'
  readonly left: readonly LeftOrder[]
  /** What could not be read, one line each. */
  readonly notes: readonly string[]
  /** A line that was on the disk is lost, and may have named partitions. A write cut off by a crash is no damage. */
  readonly damaged: boolean
  /** Written by a newer version: not understood as a whole, and not to be closed by this one. */
  readonly newer: boolean
  /** For whoever writes on. */
  readonly nextSeq: number
}

/**
 * Reads a whole journal, piece by piece. Throws only what `pieces` throws: what is damaged is left out and noted. A cut last line
 * was never synced, so the request that it announces was never sent.
 */
export async function readContents(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<JournalContents> {
  let clusterId: string | null = null
  let opened: Extract<JournalEntry, { type: 'opened' }> | null = null
  let state: JournalContents['state'] = 'open'
  let foreign = 0
  let format = 0
  const left = new Map<string, LeftOrder>()
  const mark = (named: readonly { topic: string; partition: number }[], change: Partial<LeftOrder>) => {
    for (const partition of named) {
      const order = left.get(partitionName(partition))
      if (order) left.set(partitionName(partition), { ...order, ...change })
    }
  }
  const lines = new LineReader(({ entry, at }) => {
    switch (entry.type) {
      case 'opened':
        opened = entry
        format = Math.max(format, entry.format)
        clusterId ??= entry.clusterId
        break
      case 'about-to-reorder':
        clusterId ??= entry.clusterId
        // Two files put together by hand: what is of another cluster must not be put back on this one.
        if (entry.clusterId !== clusterId) foreign += 1
        else for (const order of entry.orders) announce(left, order, new Date(at))
        break
      case 'reordered':
        mark(entry.partitions, { reorderedAt: new Date(at) })
        break
      case 'put-back':
      case 'left':
        for (const partition of entry.partitions) left.delete(partitionName(partition))
        break
      case 'suspended':
        state = 'suspended'
        break
      case 'closed':
        state = 'closed'
        break
      case 'about-to-elect':
        mark(entry.partitions, { electionAt: new Date(at) })
        break
      case 'about-to-put-back':
        mark(entry.partitions, { putBackAt: new Date(at) })
        break
      case 'elected':
      case 'taken-over':
        break
    }
  })
  for await (const piece of pieces) {
    lines.push(piece)
    if (lines.hasGivenUp) break
  }
  const read = lines.end()
  return contentsOf(opened, {
    clusterId,
    state,
    left: [...left.values()],
    notes: foreign === 0 ? read.notes : [...read.notes, `${foreign} of its lines are of another cluster, and not used`],
    damaged: read.damaged || foreign > 0,
    newer: read.newer || format > JOURNAL_FORMAT,
    nextSeq: read.nextSeq,
  })
}

function contentsOf(
  opened: Extract<JournalEntry, { type: 'opened' }> | null,
  read: Omit<JournalContents, 'planId' | 'startedAt' | 'owner'>,
): JournalContents {
  return {
    ...read,
    planId: opened?.planId ?? null,
    startedAt: opened?.startedAt ?? null,
    owner: opened?.owner ?? null,
  }
}

/** A retry names it again: what is to be put back is the first original order, in one run they are all the same. */
function announce(left: Map<string, LeftOrder>, order: JournalledOrder, announcedAt: Date): void {
  const known = left.get(partitionName(order)) ?? {
    ...order,
    announcements: 0,
    reorderedAt: null,
    electionAt: null,
    putBackAt: null,
  }
  left.set(partitionName(order), { ...known, announcedAt, announcements: known.announcements + 1 })
}
