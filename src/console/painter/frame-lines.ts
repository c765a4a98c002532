/**
 * The lines of a whole frame as they can stand on a screen of `rows` rows: what is below it is cut off (a line more would scroll it), what is
 * missing is blank. `rows` null: as many as there are. Lines carry their own styles from start to end: Ink closes each of them at the line's end.
 */
export function frameLines(frame: string, rows: number | null): string[] {
  if (rows === null) return frame.split('\n')
  const lines = frame.split('\n', rows)
  while (lines.length < rows) lines.push('')
  return lines
}
