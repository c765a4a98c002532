import { SharedLists } from '../../cluster/shared-lists.js'

const MOST = 20_000

/**
 * Parts of decisions that many partitions have in common, each kept once, and lists of them, too: with 100,000 partitions that is a third of what their
 * decisions take (measured). Parts must not be changed by anybody. When there are too many different ones it begins anew.
 */
export class SharedParts<Part extends object> {
  readonly #byKey = new Map<string, Part>()
  readonly #indexes = new Map<Part, number>()
  #lists = new SharedLists<Part>((part) => this.#indexOf(part))

  /** @param key says all that `make` makes */
  of(key: string, make: () => Part): Part {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    if (this.#byKey.size >= MOST) this.#byKey.clear()
    const part = make()
    this.#byKey.set(key, part)
    return part
  }

  list(parts: readonly Part[]): readonly Part[] {
    if (this.#indexes.size >= MOST) {
      // Indexes are given anew from here on: lists that were known by the old ones must not be found.
      this.#indexes.clear()
      this.#lists = new SharedLists<Part>((part) => this.#indexOf(part))
    }
    return this.#lists.of(parts)
  }

  #indexOf(part: Part): number {
    const known = this.#indexes.get(part)
    if (known !== undefined) return known
    const index = this.#indexes.size
    this.#indexes.set(part, index)
    return index
  }
}

const texts = new Map<string, string>()

/** Equal texts as one; a text that was put together of many pieces is kept as one piece. */
export function sharedText(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size >= MOST) texts.clear()
  texts.set(text, text)
  return text
}
