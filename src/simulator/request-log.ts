import { closeSync, openSync, writeSync } from 'node:fs'

/** One request that a broker received, before it was answered. */
export interface LoggedRequest {
  /** ISO time. */
  readonly at: string
  readonly broker: number
  readonly apiKey: number
  readonly api: string
  readonly version: number
  readonly clientId: string | null
  /** How many partitions it names; null where it names none, or means all. */
  readonly partitions: number | null
}

/** `named`: the partitions that the request names, where the log only counts them; null as there. */
export type OnRequest = (
  request: LoggedRequest,
  named: readonly { readonly topic: string; readonly partition: number }[] | null,
) => void

/** Appends one JSON line for each request, before the answer leaves: a test reads what was and was not sent. */
export class RequestLog {
  readonly #file: number

  /** @throws Error of the file system when the file can not be opened for appending */
  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600)
  }

  append(request: LoggedRequest): void {
    writeSync(this.#file, `${JSON.stringify(request)}\n`)
  }

  close(): void {
    closeSync(this.#file)
  }
}
