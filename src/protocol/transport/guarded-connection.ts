import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import KafkaJsConnection from 'kafkajs/src/network/connection.js'
import type { BrokerAddress } from './address.js'
import { FrameSplitter } from './frames.js'
import type { TransportSettings } from './settings.js'

/** kafkajs fails a request of its own (login) after this; ours have deadlines of their own. ms */
const KAFKAJS_TIMEOUT_MS = 2 ** 31 - 1

/** kafkajs prints nothing: what there is to say, we say. */
const SILENT_LOGGER = {
  namespace: () => SILENT_LOGGER,
  debug() {},
  info() {},
  warn() {},
  error() {},
}

/** kafkajs's connection, with frames cut linearly and within bounds, and no timers of its own left behind. */
export class GuardedConnection extends KafkaJsConnection {
  readonly #frames = new FrameSplitter()
  bytesReceived = 0
  closedReason: Error | null = null

  override processData(chunk: Buffer): void {
    this.bytesReceived += chunk.length
    try {
      this.#frames.push(chunk, (frame) => {
        this.requestQueue.fulfillRequest({
          size: frame.length,
          correlationId: frame.readInt32BE(0),
          payload: frame.subarray(4),
        })
      })
    } catch (error) {
      this.abort(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Ends the connection at once; whatever is under way fails with `reason`. */
  abort(reason: Error): void {
    this.closedReason ??= reason
    this.authHandlers?.onError()
    this.rejectRequests(this.closedReason)
    this.socket?.destroy()
    // Resolves at once: nothing is pending any more.
    void this.disconnect()
  }
}

/** A connection that is not connected yet. @param timeoutMs to connect. ms */
export function guardedConnection(
  address: BrokerAddress,
  settings: TransportSettings,
  timeoutMs: number,
): GuardedConnection {
  const connection: GuardedConnection = new GuardedConnection({
    host: address.host,
    port: address.port,
    clientId: settings.clientId,
    connectionTimeout: timeoutMs,
    requestTimeout: KAFKAJS_TIMEOUT_MS,
    enforceRequestTimeout: false,
    maxInFlightRequests: null,
    ssl: settings.tls,
    sasl: settings.sasl === null ? null : kafkaJsLogin(settings.sasl),
    logger: SILENT_LOGGER,
    socketFactory: ({ host, port, onConnect }) => {
      const socket =
        settings.tls === null
          ? connectTcp({ host, port, noDelay: true }, onConnect)
          : connectTls({ ...settings.tls, host, port, ...servername(address) }, onConnect)
      socket.setNoDelay(true)
      // kafkajs does not listen to it: a connection that is closed without 'end' would leave its requests waiting.
      socket.once('close', () => connection.abort(new Error('closed by the broker')))
      return socket
    },
  })
  const queue = connection.requestQueue
  const schedule = queue.scheduleCheckPendingRequests.bind(queue)
  // Without anything pending kafkajs sets a timer with a negative delay at every answer (a warning on Node 24).
  queue.scheduleCheckPendingRequests = () => {
    if (queue.pending.length > 0) schedule()
  }
  return connection
}

function servername(address: BrokerAddress): { servername?: string } {
  const name = address.certificateName ?? address.host
  return isIP(name) ? {} : { servername: name }
}

function kafkaJsLogin(login: NonNullable<TransportSettings['sasl']>): object {
  if (login.mechanism === 'OAUTHBEARER') {
    return { mechanism: 'oauthbearer', oauthBearerProvider: login.token }
  }
  return { mechanism: login.mechanism.toLowerCase(), username: login.username, password: login.password }
}
