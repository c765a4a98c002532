import type { ReactElement } from 'react'
import type { Glyphs } from '../glyphs.js'
import { type Line, span } from '../layout/line.js'
import { Lines } from './lines.js'
import { useLook } from './look.js'

/** A rule over the whole width, with a title in it if there is one. */
export function ruleLine(title: string, width: number, glyphs: Glyphs): Line {
  if (title === '') return [span('muted', glyphs.rule.repeat(width))]
  const start = glyphs.rule.repeat(2)
  const end = glyphs.rule.repeat(Math.max(0, width - title.length - 4))
  return [span('muted', start), ' ', span('title', title), ' ', span('muted', end)]
}

export interface PanelProps {
  readonly title: string
  readonly lines: readonly Line[]
  readonly width: number
  /** The rule included. */
  readonly height: number
  /** First line that shows, where there are more than fit. */
  readonly top?: number
}

/** A titled block that takes exactly `height` rows; it says where there is more above or below. */
export function Panel(props: PanelProps): ReactElement | null {
  const { glyphs } = useLook()
  return <Lines lines={panelLines(props, glyphs)} width={props.width} />
}

export function panelLines({ title, lines, width, height, top = 0 }: PanelProps, glyphs: Glyphs): Line[] {
  const room = Math.max(0, height - 1)
  const first = panelTop(top, lines.length, height)
  const below = lines.length - first - room
  const more = [first > 0 ? `${glyphs.above} ${first}` : '', below > 0 ? `${glyphs.below} ${below}` : ''].filter(
    Boolean,
  )
  const head = more.length === 0 ? title : `${title} (${more.join(' ')} more)`
  const shown = lines.slice(first, first + room)
  return [ruleLine(head, width, glyphs), ...shown, ...new Array<Line>(room - shown.length).fill('')].slice(0, height)
}

/** The first line that can be shown so that the panel is full. */
export function panelTop(top: number, lines: number, height: number): number {
  return Math.max(0, Math.min(top, lines - Math.max(0, height - 1)))
}
