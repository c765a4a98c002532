import { beginningOfLine, decodeLine, type JournalLine, type LineBeginning } from './line.js'

/**
 * The longest line that is looked at: a batch of 1,000 partitions with the longest topic names has less than 3 MB. What is longer is
 * no line of ours, and is not kept in memory. Bytes.
 */
export const MAX_LINE_BYTES = 32 * 1024 * 1024
/** Of so many unreadable lines no more is read: a file of newlines would take minutes. */
export const MAX_UNREADABLE_LINES = 10_000
const NEWLINE = 10

export interface LinesRead {
  /** What could not be read, one line each for all of a kind. */
  readonly notes: readonly string[]
  /** A line that was on the disk is lost, and may have named partitions. A write cut off by a crash is no damage. */
  readonly damaged: boolean
  readonly newer: boolean
  /** For whoever writes on. */
  readonly nextSeq: number
}

/** Some lines of one kind, for one note: a file of garbage may have millions. */
interface Counted {
  count: number
  first: number
}

const EMPTY = new Uint8Array()
const NONE = { count: 0, first: 0, beginning: false }

/**
 * Splits a journal into its lines, whatever its size and whatever is in it, and hands on those that can be read, in their order.
 * Memory is bounded by MAX_LINE_BYTES.
 */
export class LineReader {
  readonly #onLine: (line: JournalLine) => void
  #pieces: Uint8Array[] = []
  #length = 0
  #tooLong = false
  #number = 0
  #expectedSeq = 0
  /** Unreadable lines since the last readable one; `beginning`: whether the last of them may be a write that was cut off. */
  #unreadable = NONE
  readonly #damaged: Counted = { count: 0, first: 0 }
  readonly #cut: Counted = { count: 0, first: 0 }
  readonly #newer: Counted = { count: 0, first: 0 }
  readonly #gaps: Counted = { count: 0, first: 0 }
  readonly #misplaced: Counted = { count: 0, first: 0 }
  #endDamaged = false

  constructor(onLine: (line: JournalLine) => void) {
    this.#onLine = onLine
  }

  /** Enough was seen that cannot be read: what follows is not looked at, and counts as damaged. */
  get hasGivenUp(): boolean {
    return this.#damaged.count + this.#cut.count + this.#unreadable.count >= MAX_UNREADABLE_LINES
  }

  push(bytes: Uint8Array): void {
    let start = 0
    while (start < bytes.length && !this.hasGivenUp) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline === -1 ? bytes.length : newline
      this.#keep(bytes.subarray(start, end))
      if (newline === -1) return
      this.#line(true)
      start = newline + 1
    }
  }

  end(): LinesRead {
    const inLine = this.#length > 0 && !this.hasGivenUp
    if (inLine) this.#line(false)
    this.#judgeUnreadable(null, inLine)
    const notes = [
      ...this.#note(this.#damaged, (n) => `line ${n} is damaged`, 'lines are damaged'),
      ...(this.hasGivenUp ? [`what follows line ${this.#number} was not read`] : []),
      ...(this.#endDamaged ? [`the end of line ${this.#number} is damaged, and all of it can be read`] : []),
      ...this.#note(this.#gaps, (n) => `lines are missing before entry ${n}`, 'times lines are missing', 'entry'),
      ...this.#note(
        this.#misplaced,
        (n) => `line ${n} is not where it was written`,
        'lines are not where they were written',
      ),
      ...this.#note(
        this.#cut,
        (n) => `line ${n} was cut off by a crash: what it announces was never sent`,
        'lines were cut off by crashes: what they announce was never sent',
      ),
      ...this.#note(this.#newer, (n) => `line ${n} is of a newer version`, 'lines are of a newer version'),
    ]
    return {
      notes,
      damaged: this.hasGivenUp || this.#damaged.count + this.#gaps.count + this.#misplaced.count > 0,
      newer: this.#newer.count > 0,
      nextSeq: this.#expectedSeq,
    }
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length
    if (this.#length > MAX_LINE_BYTES) {
      this.#tooLong = true
      this.#pieces = []
    } else if (piece.length > 0) this.#pieces.push(piece)
  }

  #line(ended: boolean): void {
    this.#number += 1
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] ?? EMPTY) : Buffer.concat(this.#pieces)
    const tooLong = this.#tooLong
    this.#pieces = []
    this.#length = 0
    this.#tooLong = false
    if (tooLong) this.#unreadableLine(null)
    else this.#decode(bytes, ended)
  }

  #decode(bytes: Uint8Array, ended: boolean): void {
    const decoded = decodeLine(bytes)
    // Written as a whole, and its newline became something else: a cut line has none of its end.
    const whole = ended || decoded.kind === 'line' ? decoded : decodeLine(bytes.subarray(0, -1))
    if (whole.kind === 'line') {
      this.#endDamaged ||= whole !== decoded
      this.#readable(whole.line)
    } else if (decoded.kind === 'unreadable' && decoded.intact) {
      add(this.#newer, this.#number)
      this.#expectedSeq += 1
    } else this.#unreadableLine(beginningOfLine(bytes))
  }

  #readable(line: JournalLine): void {
    this.#judgeUnreadable(line, false)
    // The same number twice: a write that was told to have failed, and had not.
    if (line.seq < this.#expectedSeq - 1) add(this.#misplaced, this.#number)
    this.#expectedSeq = Math.max(this.#expectedSeq, line.seq + 1)
    this.#onLine(line)
  }

  #unreadableLine(beginning: LineBeginning | null): void {
    // No number was used up by the lines before it: they were writes that failed.
    if (beginning !== null && beginning.seq !== null && beginning.seq <= this.#expectedSeq) this.#nothingLost()
    const { count, first } = this.#unreadable
    this.#unreadable = { count: count + 1, first: count === 0 ? this.#number : first, beginning: beginning !== null }
  }

  /** @param next the line behind them; null: the file ends. @param inLine it ends without a newline */
  #judgeUnreadable(next: JournalLine | null, inLine: boolean): void {
    const { count, first, beginning } = this.#unreadable
    // Entries are numbered without gaps, and a write that failed or was cut off uses up no number.
    const lost = next === null ? (beginning && inLine ? count - 1 : count) : next.seq - this.#expectedSeq
    const damaged = Math.max(0, Math.min(count, lost))
    if (damaged > 0) add(this.#damaged, first, damaged)
    if (damaged < count) add(this.#cut, first + damaged, count - damaged)
    if (next !== null && lost > count) add(this.#gaps, next.seq)
    this.#unreadable = NONE
  }

  #nothingLost(): void {
    const { count, first } = this.#unreadable
    if (count > 0) add(this.#cut, first, count)
    this.#unreadable = NONE
  }

  #note({ count, first }: Counted, one: (number: number) => string, many: string, what = 'line'): string[] {
    if (count === 0) return []
    return [count === 1 ? one(first) : `${count} ${many}, the first is ${what} ${first}`]
  }
}

function add(to: Counted, first: number, count = 1): void {
  if (to.count === 0) to.first = first
  to.count += count
}
