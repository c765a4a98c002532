import type { ConnectionOptions } from 'node:tls'

export type SaslLogin =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
      readonly username: string
      readonly password: string
    }
  /** `token` is asked again at each (re-)authentication. */
  | { readonly mechanism: 'OAUTHBEARER'; readonly token: () => Promise<BearerToken> }

export interface BearerToken {
  readonly value: string
  /** SASL extensions (KIP-342), by name. */
  readonly extensions: Readonly<Record<string, string>>
}

/** How to speak to every broker of a cluster. Held in memory only: it carries the login. */
export interface TransportSettings {
  readonly clientId: string
  /** Null: no TLS. `servername` is set for each connection. */
  readonly tls: ConnectionOptions | null
  readonly sasl: SaslLogin | null
  /** Every writing RPC is refused here, whatever asks for it. */
  readonly readOnly: boolean
  /** Called after each exchange: for --verbose, counters and benchmarks. Never sees a login or a body. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** One request and its answer, as counted. */
export interface Exchange {
  /** host:port */
  readonly address: string
  readonly api: string
  readonly version: number
  readonly requestBytes: number
  readonly responseBytes: number
  readonly durationMs: number
  /** Null: answered. */
  readonly error: string | null
}
