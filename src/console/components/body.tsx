import type { ReactElement } from 'react'
import type { Line } from '../layout/line.js'
import type { Size } from '../terminal/terminal.js'
import { Lines } from './lines.js'

/** A screen's body from its lines; what does not fit is cut. */
export function body(lines: readonly Line[], { columns, rows }: Size): ReactElement {
  return <Lines lines={lines.slice(0, rows)} width={columns} />
}
