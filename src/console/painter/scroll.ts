/** The rows `top` to `bottom` (both included) move up by `by` rows; down if it is negative. */
export interface Scroll {
  readonly top: number
  readonly bottom: number
  readonly by: number
}

/** Fewer lines than that are written anew. */
const WORTH = 3

/**
 * The move of one block of rows that puts most lines of `after` where they belong, or null. Lines that are right already are no reason to
 * move, and blank ones cost nothing anyway.
 */
export function findScroll(before: readonly string[], after: readonly string[]): Scroll | null {
  const rows = after.length
  const places = new Map<string, number[]>()
  before.forEach((line, row) => {
    if (line === '') return
    const known = places.get(line)
    if (known === undefined) places.set(line, [row])
    // A line that stands in many places (a rule) says nothing about where a block went.
    else if (known.length < 4) known.push(row)
  })
  const votes = new Map<number, { count: number; first: number; last: number }>()
  for (let row = 0; row < rows; row += 1) {
    const line = after[row] ?? ''
    if (before[row] === line) continue
    for (const from of places.get(line) ?? []) {
      const vote = votes.get(from - row)
      if (vote === undefined) votes.set(from - row, { count: 1, first: row, last: row })
      else {
        vote.count += 1
        vote.last = row
      }
    }
  }
  let best: Scroll | null = null
  let most = WORTH - 1
  for (const [by, { count, first, last }] of votes) {
    if (by === 0 || count <= most) continue
    most = count
    // The block covers where the lines were and where they go.
    best = { top: Math.min(first, first + by), bottom: Math.max(last, last + by), by }
  }
  return best
}

/** What the screen shows after the move. */
export function scrolled(before: readonly string[], { top, bottom, by }: Scroll): string[] {
  return before.map((line, row) => {
    if (row < top || row > bottom) return line
    const from = row + by
    return from < top || from > bottom ? '' : (before[from] ?? '')
  })
}
