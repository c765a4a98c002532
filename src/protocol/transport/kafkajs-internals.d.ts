// The parts of kafkajs 2.2.4 that are used and that it has no types for. kafkajs has no `exports` field: deep imports are open.
declare module 'kafkajs/src/network/connection.js' {
  import type { Socket } from 'node:net'

  interface Options {
    host: string
    port: number
    clientId: string
    connectionTimeout: number
    requestTimeout: number
    enforceRequestTimeout: boolean
    maxInFlightRequests: number | null
    ssl: object | null
    sasl: object | null
    socketFactory: (options: { host: string; port: number; ssl: object | null; onConnect: () => void }) => Socket
    logger: unknown
  }

  interface Protocol<T> {
    request: { apiKey: number; apiVersion: number; apiName: string; encode: () => Promise<unknown> }
    response: { decode: (payload: Buffer) => Promise<T>; parse: (decoded: T) => Promise<T> }
  }

  export default class Connection {
    constructor(options: Options)
    readonly requestQueue: {
      pending: unknown[]
      fulfillRequest(answer: { correlationId: number; payload: Buffer; size: number }): void
      scheduleCheckPendingRequests(): void
      rejectAll(error: Error): void
    }
    socket?: Socket
    /** process.hrtime() of the last login on this connection; null: none. */
    authenticatedAt: [seconds: number, nanoseconds: number] | null
    /** How long the broker keeps to that login, ms; 0: for ever. */
    sessionLifetime: { readonly value: bigint }
    isAuthenticated(): boolean
    authHandlers: { onSuccess(raw: Buffer): void; onError(): void } | null
    connect(): Promise<true>
    disconnect(): Promise<true>
    isConnected(): boolean
    authenticate(): Promise<void>
    setVersions(versions: Record<number, { minVersion: number; maxVersion: number }>): void
    setSupportAuthenticationProtocol(supported: boolean): void
    send<T>(protocol: Protocol<T>): Promise<T>
    processData(chunk: Buffer): void
    rejectRequests(error: Error): void
  }
}

declare module 'kafkajs/src/protocol/encoder.js' {
  export default class Encoder {
    constructor(initialSize?: number)
    readonly buffer: Buffer
    writeBufferInternal(buffer: Buffer): void
    writeBytes(bytes: Buffer): this
  }
}
