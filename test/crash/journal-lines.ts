import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Named {
  readonly topic: string
  readonly partition: number
  readonly original?: readonly number[]
}

interface Entry {
  readonly type: string
  readonly orders?: readonly Named[]
  readonly partitions?: readonly Named[]
}

/** What the journals in a folder tell: read a second way, so that the program's own reading is not believed. */
export interface JournalTold {
  /** Re-ordered, or about to be, and not known to be back. */
  readonly left: ReadonlySet<string>
  /** The order that each partition had, by the first line that names it. */
  readonly original: Readonly<Record<string, readonly number[]>>
  readonly announced: { readonly reorder: ReadonlySet<string>; readonly elect: ReadonlySet<string> }
}

export function toldByJournals(folder: string): JournalTold {
  const left = new Set<string>()
  const original: Record<string, readonly number[]> = {}
  const announced = { reorder: new Set<string>(), elect: new Set<string>() }
  for (const { type, orders = [], partitions = [] } of entriesIn(folder)) {
    for (const order of orders) {
      left.add(nameOf(order))
      announced.reorder.add(nameOf(order))
      original[nameOf(order)] ??= order.original ?? []
    }
    for (const one of partitions) {
      if (type === 'put-back' || type === 'left') left.delete(nameOf(one))
      if (type === 'about-to-elect') announced.elect.add(nameOf(one))
    }
  }
  return { left, original, announced }
}

function entriesIn(folder: string): Entry[] {
  return filesIn(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [(JSON.parse(line) as { entry: Entry }).entry]
        } catch {
          // Cut off by the death of its writer.
          return []
        }
      }),
  )
}

export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function nameOf({ topic, partition }: Named): string {
  return `${topic}-${partition}`
}
