import { inspect } from 'node:util'

const HIDDEN = '[hidden]'

/**
 * A password, private key or client secret. However it is printed (string, JSON, console.log, an error's cause) it shows
 * `[hidden]`; only `reveal()` gives the value, so that a search for that word finds every place that uses one.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
