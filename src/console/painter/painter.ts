import type { ScreenOutput } from '../terminal/screen-output.js'
import type { Size } from '../terminal/terminal.js'
import { frameLines } from './frame-lines.js'

/** Draws frames on a terminal. Frames come whole, as often as they like; what is written is the difference to what stands there. */
export interface Painter {
  /** The newest frame; it takes the place of one that was not drawn yet. */
  frame(text: string): void
  /** The next frame answers a key: it is drawn at once. Without it frames are drawn at most 15 times a second. */
  urgent(): void
  /** Draws nothing until `release`. */
  hold(): void
  /** Draws the newest frame; `drawn` is called when the terminal has all of it. */
  release(drawn: () => void): void
  resize(size: Size): void
  /** What stands on the screen is not known any more: the newest frame is drawn as a whole. */
  redraw(): void
  close(): void
  readonly stats: PaintStats
}

export interface PaintStats {
  /** Frames that came; updates that were written. */
  readonly frames: number
  readonly draws: number
}

/** Of a screen that is looked at. ms */
export const DRAW_INTERVAL = 1000 / 15

export interface PainterOptions {
  /** Of the screen; rows null: lines are written one after the other, there is no screen to keep within. */
  readonly columns: number
  readonly rows: number | null
  /** Makes the bytes from the frame before (null: unknown) and the newest, both as lines for a screen of so many columns. */
  encode(before: readonly string[] | null, after: readonly string[], columns: number): string
  /** Least time between two draws that no key asked for. ms */
  readonly interval: number
}

/**
 * At most one update is under way to the terminal: frames that come while a slow line takes it are dropped but for the newest, which is compared
 * when the way is free.
 */
export function createPainter(output: ScreenOutput, options: PainterOptions): Painter {
  const { encode, interval } = options
  let { columns, rows } = options
  let shown: readonly string[] | null = null
  let newest: string | null = null
  let dirty = false
  let isUrgent = false
  let held = false
  let closed = false
  let lastDraw = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let waiting: (() => void)[] = []
  let frames = 0
  let draws = 0

  function draw(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (newest !== null && dirty) {
      dirty = false
      isUrgent = false
      const lines = frameLines(newest, rows)
      const bytes = encode(shown, lines, columns)
      shown = lines
      if (bytes !== '') {
        lastDraw = performance.now()
        draws += 1
        output.write(bytes)
      }
    }
    if (output.idle) settle()
  }

  function onTurn(): void {
    timer = null
    if (output.idle) draw()
  }

  function settle(): void {
    const done = waiting
    waiting = []
    for (const drawn of done) drawn()
  }

  function schedule(): void {
    if (closed || held || !dirty || !output.idle) return
    const wait = isUrgent ? 0 : lastDraw + interval - performance.now()
    if (wait <= 0) draw()
    else timer ??= setTimeout(onTurn, wait)
  }

  output.onIdle = () => {
    // First what is newer than what just got out, then those who wait for it.
    if (waiting.length > 0 && !held) draw()
    else schedule()
  }

  return {
    frame(text) {
      if (closed) return
      frames += 1
      newest = text
      dirty = true
      schedule()
    },
    urgent() {
      isUrgent = true
    },
    hold() {
      held = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
    release(drawn) {
      held = false
      waiting.push(drawn)
      if (output.idle) draw()
    },
    resize(next) {
      if (rows === null) return
      rows = next.rows
      columns = next.columns
      shown = null
      dirty = newest !== null
    },
    redraw() {
      shown = null
      dirty = newest !== null
      isUrgent = true
      schedule()
    },
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      output.onIdle = null
      waiting = []
    },
    get stats() {
      return { frames, draws }
    },
  }
}
