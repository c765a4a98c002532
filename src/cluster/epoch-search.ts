import { type EpochStart, type LastWrittenEpoch, writtenEpoch } from './replica-log.js'

/** What a broker answers to a diverging-epoch fetch with LastFetchedEpoch E (Fetch 12, measured on 3.9.2 to 4.4.0). */
export type EpochAnswer =
  /** The largest epoch <= E that the log has, and where it ends in this log. */
  | { readonly kind: 'epoch'; readonly epoch: number; readonly endOffset: number }
  /** Error 1: E is above the log's last epoch, or the log has no epochs. */
  | { readonly kind: 'above' }

export interface EpochHistory {
  readonly lastWrittenEpoch: LastWrittenEpoch
  readonly epochs: readonly EpochStart[]
}

type Phase = 'find last' | 'walk down' | 'done' | 'moved'

interface EpochEnd {
  readonly epoch: number
  readonly endOffset: number
}

/**
 * Finds a log's leader epoch history by asking `probe()` and taking in the answers, one at a time; pure. First the log's last
 * epoch, which is the largest E that is answered at all: from the partition's leader epoch down in growing strides, then by
 * halves. Then down from there, one epoch an answer.
 *
 * Three traps, all measured on 4.4.0:
 * - For an E below the first epoch the broker answers {E, start of the first epoch}: epochs that never were. An end that is not
 *   above the log start ends the history; so does one that repeats below the log end, and both such answers are dropped.
 * - A leader notes its epoch at its log end when it takes over, also when it never writes: epochs that end where the one before
 *   them ends are empty and left out. A repeat at the log end only means that, and the walk goes on.
 * - The newest epoch must end at the log end that was read beside it; else the log moved meanwhile.
 */
export class EpochSearch {
  readonly #start: number
  readonly #end: number
  #phase: Phase
  /** All E >= this are above the last epoch, as far as known. */
  #above: number
  /** The largest E that was answered, as far as known; -1: none yet. */
  #answered = -1
  #stride = 1
  #probe: number
  readonly #hint: number | null
  /** Where the oldest epoch found begins: the log start, unless older records have no epochs. */
  #oldestStart: number
  /** Newest first. */
  readonly #ends: EpochEnd[] = []

  /**
   * @param logStartOffset as ListOffsets told
   * @param logEndOffset as ListOffsets told
   * @param leaderEpoch the partition's leader epoch: no log has a higher one
   * @param lastWritten the last written epoch, where GetReplicaLogInfo told it (KIP-1275): saves the search
   */
  constructor(logStartOffset: number, logEndOffset: number, leaderEpoch: number, lastWritten?: number) {
    this.#start = logStartOffset
    this.#end = logEndOffset
    this.#oldestStart = logStartOffset
    this.#above = leaderEpoch + 1
    this.#hint = lastWritten ?? null
    this.#probe = Math.min(lastWritten ?? leaderEpoch, leaderEpoch)
    this.#phase = logStartOffset === logEndOffset || leaderEpoch < 0 ? 'done' : 'find last'
  }

  /** The E to ask next; null: nothing more to ask. */
  probe(): number | null {
    return this.#phase === 'find last' || this.#phase === 'walk down' ? this.#probe : null
  }

  /** The log changed while it was read: read start and end again, and search anew. */
  get moved(): boolean {
    return this.#phase === 'moved'
  }

  /** Stop after the last written epoch is known: for re-checks that need no history. */
  get lastWrittenKnown(): boolean {
    return this.#phase === 'done' || (this.#phase === 'walk down' && this.#lastWrittenIndex() !== null)
  }

  accept(answer: EpochAnswer): void {
    if (this.#phase === 'find last') this.#findLast(answer)
    else if (this.#phase === 'walk down') this.#walkDown(answer)
  }

  #findLast(answer: EpochAnswer): void {
    const asked = this.#probe
    if (answer.kind === 'above') this.#above = Math.min(this.#above, asked)
    else if (asked > this.#answered) {
      this.#answered = asked
      this.#ends[0] = { epoch: answer.epoch, endOffset: answer.endOffset }
      // A newer epoch can only be an empty one: the broker itself named this as the last that was written.
      if (asked === this.#hint && answer.epoch === asked && answer.endOffset === this.#end) this.#above = asked + 1
    }
    if (this.#above - this.#answered <= 1) {
      this.#lastFound()
      return
    }
    if (this.#answered === -1) {
      // Nothing answered yet: step down from the lowest E that failed. E = 0 is the last to try.
      this.#probe = Math.max(0, this.#above - this.#stride)
      this.#stride *= 2
    } else {
      this.#probe = Math.floor((this.#above + this.#answered) / 2)
    }
  }

  #lastFound(): void {
    const last = this.#ends[0]
    if (last === undefined) {
      // Records, but error 1 for every E: no epochs are kept.
      this.#phase = 'done'
    } else if (last.endOffset !== this.#end) {
      this.#phase = 'moved'
    } else {
      this.#phase = 'walk down'
      this.#goBelow(last.epoch)
    }
  }

  #walkDown(answer: EpochAnswer): void {
    // Below the last epoch everything is answered: anything else means that the log is another one now.
    if (answer.kind === 'above') {
      this.#phase = 'moved'
      return
    }
    const newer = this.#ends.at(-1)
    if (newer === undefined || answer.epoch >= newer.epoch || answer.endOffset > newer.endOffset) {
      this.#phase = 'moved'
      return
    }
    if (answer.endOffset <= this.#start) {
      this.#phase = 'done'
      return
    }
    if (answer.endOffset === newer.endOffset && answer.endOffset < this.#end) {
      this.#ends.pop()
      this.#oldestStart = newer.endOffset
      this.#phase = 'done'
      return
    }
    this.#ends.push({ epoch: answer.epoch, endOffset: answer.endOffset })
    this.#goBelow(answer.epoch)
  }

  #goBelow(epoch: number): void {
    if (epoch === 0) this.#phase = 'done'
    else this.#probe = epoch - 1
  }

  /** Index in #ends of the newest epoch that is certain to hold records; null: not known yet. */
  #lastWrittenIndex(): number | null {
    for (let i = 0; i < this.#ends.length; i++) {
      const older = this.#ends[i + 1]
      const end = this.#ends[i]?.endOffset
      if (older === undefined) return this.#phase === 'done' ? i : null
      if (end !== undefined && end > older.endOffset) return i
    }
    return null
  }

  /** What was found; call when `probe()` is null, or `lastWrittenKnown`. */
  result(): EpochHistory {
    if (this.#start === this.#end) return { lastWrittenEpoch: { kind: 'none' }, epochs: [] }
    if (this.#ends.length === 0) return { lastWrittenEpoch: { kind: 'unknown' }, epochs: [] }
    const epochs: EpochStart[] = []
    for (let i = this.#ends.length - 1; i >= 0; i--) {
      const entry = this.#ends[i]
      if (entry === undefined) continue
      const startOffset = this.#ends[i + 1]?.endOffset ?? this.#oldestStart
      if (startOffset < entry.endOffset) epochs.push({ epoch: entry.epoch, startOffset })
    }
    const last = epochs.at(-1)
    return {
      lastWrittenEpoch: last === undefined ? { kind: 'unknown' } : writtenEpoch(last.epoch),
      // A list that has grown keeps room for more: a copy has none, and it is kept for long.
      epochs: epochs.slice(),
    }
  }
}
