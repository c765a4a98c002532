import { displayWidth } from '../../text/display-width.js'

/**
 * A line in lines of at most `width` columns, broken at spaces; what follows is indented by two more than the line. A word
 * that is longer (a name, a path) stays whole: the terminal breaks it, and it can still be copied.
 */
export function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line]
  const indent = ' '.repeat(line.length - line.trimStart().length + 2)
  const lines: string[] = []
  let current = ''
  for (const [, gap = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    if (current === '' || displayWidth(current + gap + word) <= width) current += gap + word
    else {
      lines.push(current)
      current = indent + word
    }
  }
  return [...lines, current]
}

export function wrapLines(lines: Iterable<string>, width: number | null): string[] {
  return width === null ? [...lines] : [...lines].flatMap((line) => wrapLine(line, width))
}
