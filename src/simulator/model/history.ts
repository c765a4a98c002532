/** A value with what it was before, for views that lag behind. */
export class History<T> {
  #current: T
  #past: { readonly value: T; readonly until: number }[] | null = null

  constructor(value: T) {
    this.#current = value
  }

  get current(): T {
    return this.#current
  }

  /** @param keepMs how far back a view may lie; 0 keeps nothing */
  set(value: T, now: number, keepMs: number): void {
    if (keepMs > 0) {
      this.#past = (this.#past ?? []).filter((entry) => entry.until > now - keepMs)
      this.#past.push({ value: this.#current, until: now })
    }
    this.#current = value
  }

  /** The value as it was at `time`. */
  at(time: number): T {
    if (this.#past !== null) {
      for (const entry of this.#past) if (time < entry.until) return entry.value
    }
    return this.#current
  }
}
