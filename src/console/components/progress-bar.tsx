import type { ReactElement } from 'react'
import type { Glyphs } from '../glyphs.js'
import { durationText, wholeNumber } from '../layout/amounts.js'
import { type Line, span } from '../layout/line.js'
import { Lines } from './lines.js'
import { useLook } from './look.js'

export interface Progress {
  /** What is being done: "read logs", "elect". */
  readonly phase: string
  readonly done: number
  /** Null: not known yet. */
  readonly total: number | null
  /** Share that is done, 0 to 1, where something finer is known than the numbers say. */
  readonly part?: number
  /** Milliseconds since the start; and to the end, null where that can't be said. */
  readonly elapsedMs: number
  readonly remainingMs: number | null
}

/** `elect  [#####.....]  18 of 37  12 s, 14 s left`: one line; the numbers say what the bar shows. */
export function ProgressBar(props: Progress & { readonly width: number }): ReactElement | null {
  const { glyphs } = useLook()
  return <Lines lines={[progressLine(props, props.width, glyphs)]} width={props.width} />
}

export function progressLine(progress: Progress, width: number, glyphs: Glyphs): Line {
  const { phase, done, total, elapsedMs, remainingMs } = progress
  const amount = total === null ? wholeNumber(done) : `${wholeNumber(done)} of ${wholeNumber(total)}`
  const time = `${durationText(elapsedMs)}${remainingMs === null ? '' : `, ${durationText(remainingMs)} left`}`
  const room = Math.min(40, width - phase.length - amount.length - time.length - 8)
  // A bar of a few cells says nothing; without a total there is nothing to say.
  if (room < 5 || total === null) return `${phase}  ${amount}  ${time}`
  const part = Math.min(1, Math.max(0, progress.part ?? (total === 0 ? 1 : done / total)))
  // Empty only when nothing is done.
  const bar = barParts(part, room, glyphs, done > 0 ? 1 : 0)
  return [`${phase}  [`, span('ok', bar.done), span('muted', bar.left), `]  ${amount}  ${time}`]
}

/** The cells of a bar: full only when all is done. `share`: 0 to 1; `least`: so many cells are done in any case. */
export function barParts(
  share: number,
  width: number,
  glyphs: Glyphs,
  least = 0,
): { readonly done: string; readonly left: string } {
  const full = share >= 1 ? width : Math.min(width - 1, Math.max(least, Math.floor(share * width)))
  return { done: glyphs.barDone.repeat(full), left: glyphs.barLeft.repeat(width - full) }
}
