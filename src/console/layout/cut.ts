import { displayWidth, headWithin, tailWithin } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'

export type Align = 'left' | 'right'

/** Outside text cut at its end to `width` columns. Never longer than `width`; control characters are escaped before it is measured. */
export function cutEnd(text: string, width: number, ellipsis: string): string {
  const safe = terminalText(text)
  if (displayWidth(safe) <= width) return safe
  const mark = displayWidth(ellipsis) < width ? ellipsis : ''
  return headWithin(safe, width - displayWidth(mark)) + mark
}

/**
 * A name cut in its middle to `width` columns: the start tells the family, the end the member. Of `topic-12` the `-12` is kept as
 * long as there is room for it at all (topic names have up to 249 characters).
 */
export function cutMiddle(text: string, width: number, ellipsis: string): string {
  const safe = terminalText(text)
  if (displayWidth(safe) <= width) return safe
  const mark = displayWidth(ellipsis)
  const room = width - mark
  if (room < 2) return tailWithin(safe, Math.max(0, width))
  const number = /-\d+$/.exec(safe)?.[0].length ?? 0
  const tail = Math.min(room, Math.max(number, Math.ceil(room / 2)))
  return headWithin(safe, room - tail) + ellipsis + tailWithin(safe, tail)
}

/** Exactly `width` columns: cut at the end or filled with blanks. */
export function sized(text: string, width: number, align: Align, ellipsis: string): string {
  return pad(cutEnd(text, width, ellipsis), width, align)
}

/** Filled with blanks to `width` columns; longer text stays as it is. */
export function pad(text: string, width: number, align: Align): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'right' ? blanks + text : text + blanks
}
