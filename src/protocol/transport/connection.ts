import KafkaJsEncoder from 'kafkajs/src/protocol/encoder.js'
import { errorText } from '../../text/error-text.js'
import { API_VERSIONS_FALLBACK_VERSION, ApiVersions } from '../rpc/api-versions.js'
import { ByteReader, MalformedMessageError } from '../schema/bytes.js'
import {
  type AnyRpc,
  decodeResponseInSlices,
  encodeRequest,
  isFlexible,
  type RequestInput,
  type ResponseOf,
} from '../schema/rpc.js'
import { type BrokerAddress, formatAddress } from './address.js'
import { describeConnectFailure } from './connect-failure.js'
import { FrameError } from './frames.js'
import { type GuardedConnection, guardedConnection } from './guarded-connection.js'
import type { TransportSettings } from './settings.js'
import { TransportError } from './transport-error.js'

export interface VersionRange {
  readonly min: number
  readonly max: number
}

export interface RequestOptions {
  /** Time for this request, connecting not included. ms */
  readonly timeoutMs: number
  /** Do not use a version above this one. */
  readonly maxVersion?: number
}

export interface Answer<R extends AnyRpc> {
  readonly version: number
  readonly body: ResponseOf<R>
}

/** What the broker said of itself when the connection was opened. */
export interface BrokerVersions {
  readonly apis: ReadonlyMap<number, VersionRange>
  /** Finalized feature levels, such as metadata.version. */
  readonly features: ReadonlyMap<string, number>
}

const UNSUPPORTED_VERSION = 35
const API_VERSIONS_VERSION = 3
const SOFTWARE = { clientSoftwareName: 'kafka-recovery', clientSoftwareVersion: '0.1.0' }
/**
 * One TCP connection to one broker: TLS, login and versions done. Several requests may be under way at once. Nothing is
 * retried. The only place that knows kafkajs.
 */
export class BrokerConnection {
  readonly #connection: GuardedConnection
  readonly #settings: TransportSettings
  readonly address: BrokerAddress
  #versions: BrokerVersions = { apis: new Map(), features: new Map() }
  #servedOnce = false

  private constructor(address: BrokerAddress, settings: TransportSettings, connection: GuardedConnection) {
    this.address = address
    this.#settings = settings
    this.#connection = connection
  }

  /**
   * Connects, asks for versions, logs in.
   * @param timeoutMs for all of it. ms
   * @param signal gives it up at once: no socket and no timer is left
   * @throws TransportError, never `sent`
   */
  static async open(
    address: BrokerAddress,
    settings: TransportSettings,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<BrokerConnection> {
    const connection = guardedConnection(address, settings, timeoutMs)
    const broker = new BrokerConnection(address, settings, connection)
    const where = formatAddress(address)
    const giveUp = () => connection.abort(new ClosedHereError('closed by this program'))
    signal?.addEventListener('abort', giveUp)
    let step = 'connecting'
    try {
      await withDeadline(
        timeoutMs,
        () => `${where} did not complete ${step} within ${Math.ceil(timeoutMs)} ms`,
        async () => {
          await connection.connect()
          broker.#versions = await broker.#askVersions(timeoutMs)
          connection.setVersions(
            Object.fromEntries(
              [...broker.#versions.apis].map(([key, { min, max }]) => [key, { minVersion: min, maxVersion: max }]),
            ),
          )
          connection.setSupportAuthenticationProtocol(true)
          step = loginStep(settings)
          await connection.authenticate()
        },
      )
    } catch (error) {
      const failure = describeConnectFailure(error, connection.closedReason, where, settings)
      connection.abort(failure)
      throw failure
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
    return broker
  }

  get versions(): BrokerVersions {
    return this.#versions
  }

  get isOpen(): boolean {
    return this.#connection.closedReason === null && this.#connection.isConnected()
  }

  /** The highest version that both sides speak; null: none. */
  versionFor(rpc: AnyRpc, maxVersion = Number.MAX_SAFE_INTEGER): number | null {
    const offered = this.#versions.apis.get(rpc.apiKey)
    if (offered === undefined) return null
    const version = Math.min(rpc.versions[1], offered.max, maxVersion)
    return version >= Math.max(rpc.versions[0], offered.min) ? version : null
  }

  /**
   * Sends one request and waits for its answer. An error code inside of the answer is not a failure here.
   * @throws TransportError
   */
  async request<R extends AnyRpc>(rpc: R, body: RequestInput<R>, options: RequestOptions): Promise<Answer<R>> {
    const where = formatAddress(this.address)
    if (rpc.writes && this.#settings.readOnly) {
      throw new TransportError('readOnly', `${rpc.name} changes the cluster: refused, this session is read-only`, false)
    }
    const version = this.versionFor(rpc, options.maxVersion)
    if (version === null) {
      throw new TransportError('unsupported', `${where} does not offer ${rpc.name} in a version spoken here`, false)
    }
    const startedAt = performance.now()
    if (this.#settings.sasl !== null && !this.#connection.isAuthenticated()) await this.#renewLogin(options.timeoutMs)
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt))
    const answer = await this.#exchange(rpc, version, body, timeoutMs)
    this.#servedOnce = true
    return { version, body: answer }
  }

  /**
   * Logs in again on the open connection, before the broker ends it (KIP-368); all who ask meanwhile wait for the same login.
   * If it fails, the connection is of no more use.
   * @throws TransportError, never `sent`
   */
  async #renewLogin(timeoutMs: number): Promise<void> {
    const where = formatAddress(this.address)
    try {
      const late = `${where} did not complete ${loginStep(this.#settings)} within ${Math.ceil(timeoutMs)} ms`
      await withDeadline(timeoutMs, late, () => this.#connection.authenticate())
    } catch (error) {
      const failure = describeConnectFailure(error, this.#connection.closedReason, where, this.#settings)
      this.#connection.abort(failure)
      throw failure
    }
  }

  /** Whatever is still under way on it fails, naming `why`. */
  close(why = 'closed by this program'): void {
    this.#connection.abort(new ClosedHereError(why))
  }

  async #exchange<R extends AnyRpc>(
    rpc: R,
    version: number,
    body: RequestInput<R>,
    timeoutMs: number,
  ): Promise<ResponseOf<R>> {
    const where = formatAddress(this.address)
    const encoded = encodeRequest(rpc, version, body)
    const startedAt = performance.now()
    let sent = false
    let responseBytes = 0
    const report = (error: string | null) =>
      this.#settings.onExchange?.({
        address: where,
        api: rpc.name,
        version,
        requestBytes: encoded.length,
        responseBytes,
        durationMs: performance.now() - startedAt,
        error,
      })
    try {
      const late = `${where} did not answer ${rpc.name} within ${Math.ceil(timeoutMs)} ms`
      const decoded = await withDeadline(timeoutMs, late, () =>
        this.#connection.send({
          request: {
            apiKey: rpc.apiKey,
            apiVersion: version,
            apiName: rpc.name,
            async encode() {
              sent = true
              return requestPayload(encoded, isFlexible(rpc, version))
            },
          },
          response: {
            async decode(payload) {
              responseBytes = payload.length
              const response = await decodeResponseInSlices(rpc, version, withoutHeader(payload, rpc, version))
              // kafkajs holds back further requests on this connection for so long (KIP-219).
              return { response, clientSideThrottleTime: throttleTimeOf(response) }
            },
            parse: async (decoded) => decoded,
          },
        }),
      )
      report(null)
      return decoded.response
    } catch (error) {
      const failure = this.#failure(error, rpc.name, where, sent)
      report(failure.message)
      throw failure
    }
  }

  #failure(error: unknown, api: string, where: string, sent: boolean): TransportError {
    if (error instanceof DeadlineError) return new TransportError('timeout', error.message, sent)
    if (error instanceof MalformedMessageError) {
      return new TransportError(
        'malformed',
        `${where} answered ${api} with something that does not decode: ${error.message}`,
        sent,
      )
    }
    if (error instanceof TransportError) return new TransportError(error.failure, error.message, sent)
    const reason = this.#connection.closedReason ?? error
    if (!this.#servedOnce && sent && !(reason instanceof ClosedHereError || reason instanceof FrameError)) {
      // A listener that wants a login tells its versions to anybody, and closes the connection at the first request.
      const { failure, message } = describeConnectFailure(error, this.#connection.closedReason, where, this.#settings)
      return new TransportError(failure, message, sent)
    }
    const text = errorText(reason)
    return new TransportError('connection', `connection to ${where} broke during ${api}: ${text}`, sent)
  }

  async #askVersions(timeoutMs: number): Promise<BrokerVersions> {
    let answer = await this.#exchange(ApiVersions, API_VERSIONS_VERSION, SOFTWARE, timeoutMs).catch(
      (error: unknown) => {
        // A broker that lacks our version answers error 35 in the form of version 0, which does not decode as ours.
        if (error instanceof TransportError && error.failure === 'malformed') return null
        throw error
      },
    )
    if (answer === null || answer.errorCode === UNSUPPORTED_VERSION) {
      answer = await this.#exchange(ApiVersions, API_VERSIONS_FALLBACK_VERSION, {}, timeoutMs)
    }
    if (answer.errorCode !== 0) {
      throw new TransportError('unsupported', `ApiVersions was answered with error ${answer.errorCode}`, false)
    }
    return {
      apis: new Map(answer.apiKeys.map((api) => [api.apiKey, { min: api.minVersion, max: api.maxVersion }])),
      features: new Map(answer.finalizedFeatures.map((feature) => [feature.name, feature.maxVersionLevel])),
    }
  }
}

/** kafkajs writes request header 1; header 2 is the same with an empty tag buffer behind it. */
function requestPayload(body: Buffer, flexible: boolean): KafkaJsEncoder {
  const encoder = new KafkaJsEncoder(body.length + 1)
  if (flexible) encoder.writeBufferInternal(Buffer.of(0))
  encoder.writeBufferInternal(body)
  return encoder
}

/** Flexible answers have a tag buffer in the header, ApiVersions never (KIP-511). */
function withoutHeader(payload: Buffer, rpc: AnyRpc, version: number): Buffer {
  if (!isFlexible(rpc, version) || rpc.apiKey === ApiVersions.apiKey) return payload
  const reader = new ByteReader(payload)
  const tags = reader.unsignedVarint()
  for (let i = 0; i < tags; i++) {
    reader.unsignedVarint()
    reader.view(reader.unsignedVarint())
  }
  return payload.subarray(payload.length - reader.remaining)
}

function throttleTimeOf(response: object): number {
  const time = 'throttleTimeMs' in response ? response.throttleTimeMs : 0
  return typeof time === 'number' ? time : 0
}

function loginStep({ sasl }: TransportSettings): string {
  if (sasl === null) return 'connecting'
  return sasl.mechanism === 'OAUTHBEARER'
    ? 'the login with OAUTHBEARER (or the token endpoint did not: sasl.oauthbearer.token.endpoint.url)'
    : `the login with ${sasl.mechanism}`
}

class DeadlineError extends Error {}
class ClosedHereError extends Error {}

async function withDeadline<T>(
  timeoutMs: number,
  message: string | (() => string),
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeadlineError(typeof message === 'string' ? message : message())),
      Math.max(0, timeoutMs),
    )
  })
  try {
    return await Promise.race([work(), deadline])
  } finally {
    clearTimeout(timer)
  }
}
