import { clientConfig } from './client-configs.js'
import type { ResolvedProperties } from './config-providers.js'
import { javaTrim } from './java-properties.js'
import { printable } from './printable.js'

const HIDDEN = '[hidden]'

/** One setting as Kafka's ConfigDef sees it: placeholders resolved, value trimmed. */
export interface Setting {
  readonly key: string
  readonly value: string
  /** `client.properties:3` */
  readonly where: string
  /** The value for a message: `[hidden]` for passwords and for whatever a config provider gave. */
  readonly shown: string
}

/** The settings of one command config, and the list of what is wrong with them. Empty if there is no file. */
export class ClientProperties {
  readonly #settings: ReadonlyMap<string, Setting>
  readonly #file: string
  readonly problems: string[] = []
  readonly warnings: string[] = []

  readonly #unresolved: ReadonlySet<string>

  constructor(file: string, { entries, fromProvider, unresolved }: ResolvedProperties) {
    this.#file = printable(file)
    this.#unresolved = unresolved
    this.#settings = new Map(
      [...entries.values()].map(({ key, value, line }) => {
        const hidden = fromProvider.has(key) || clientConfig(key)?.type === 'password'
        const trimmed = javaTrim(value)
        return [
          key,
          { key, value: trimmed, where: `${this.#file}:${line}`, shown: hidden ? HIDDEN : printable(trimmed) },
        ]
      }),
    )
  }

  get(key: string): Setting | null {
    return this.#settings.get(key) ?? null
  }

  /** The value, or null where the setting is absent or empty. */
  text(key: string): string | null {
    const value = this.#settings.get(key)?.value ?? ''
    return value === '' ? null : value
  }

  /** `part` of the value of `key`, for a message: hidden where the value is. */
  shownPart(key: string, part: string): string {
    const setting = this.#settings.get(key)
    return setting === undefined || setting.shown === HIDDEN ? HIDDEN : printable(part)
  }

  /** All settings, in the order of the file. */
  all(): Iterable<Setting> {
    return this.#settings.values()
  }

  /**
   * Notes that `key` cannot be used: one line with file, line (where it is set) and key. Not for a value in which a
   * placeholder is left: that has been said already.
   */
  problem(key: string, text: string): void {
    if (!this.#unresolved.has(key)) this.problems.push(this.#line(key, text))
  }

  warn(key: string, text: string): void {
    this.warnings.push(this.#line(key, text))
  }

  #line(key: string, text: string): string {
    return `${this.#settings.get(key)?.where ?? this.#file}: ${printable(key)}: ${text}`
  }
}
