import { createContext, useContext } from 'react'
import { displayWidth } from '../../text/display-width.js'

/**
 * Keeps whole lines out of Ink's hands. Ink 6.8 takes each line apart into cells and styles and puts it together again, 19 ms for a frame of 200x60
 * (measured); all that is needed of it is where a line goes. So one character stands for a line while Ink lays the frame out, and the line
 * takes its place in the finished frame. Good for one frame: Ink draws it whole, and writes it in the same turn.
 */
export interface LineMarks {
  /** A character that stands for the line in the frame that is being drawn; it is one column wide. */
  put(line: string): string
  /** The frame with the lines in it. A line covers the blanks behind its mark, so blocks may stand side by side. */
  expand(frame: string): string
}

/** The first of 65,534 characters that are nobody's (private use, plane 16); text on the screen comes by marks, so none is ever mistaken for one. */
const FIRST = 0x100000
const LAST = 0x10fffd
const MARK = /[\u{100000}-\u{10fffd}] */gu
/** Set before a line to measure it: sequences take no room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken out
const STYLES = /\x1b\[[\d;]*m/g

export function createLineMarks(): LineMarks {
  let lines: string[] = []
  return {
    put(line) {
      if (line === '' || FIRST + lines.length > LAST) return line
      lines.push(line)
      return String.fromCodePoint(FIRST + lines.length - 1)
    },
    expand(frame) {
      const known = lines
      lines = []
      return frame.replace(MARK, (found, at: number) => {
        const line = known[(found.codePointAt(0) ?? FIRST) - FIRST] ?? ''
        const next = frame.charAt(at + found.length)
        // Nothing follows on this row: no need to measure.
        if (next === '' || next === '\n') return line
        const blanks = found.length - 2
        const covered = displayWidth(line.replace(STYLES, '')) - 1
        return line + ' '.repeat(Math.max(0, blanks - covered))
      })
    },
  }
}

/** Without marks (a component drawn by itself, in a test) lines go through Ink as they are. */
const AS_THEY_ARE: Pick<LineMarks, 'put'> = { put: (line) => line }

const LineMarksContext = createContext<Pick<LineMarks, 'put'>>(AS_THEY_ARE)

export const LineMarksProvider = LineMarksContext.Provider

export function useLineMarks(): Pick<LineMarks, 'put'> {
  return useContext(LineMarksContext)
}
