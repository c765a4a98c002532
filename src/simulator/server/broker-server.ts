import { createServer, type Server, type Socket } from 'node:net'
import { ErrorCode } from '../../protocol/error-codes.js'
import { API_VERSIONS_FALLBACK_VERSION, ApiVersions } from '../../protocol/rpc/api-versions.js'
import { decodeRequest, encodeResponse, isFlexible } from '../../protocol/schema/rpc.js'
import type { Controller } from '../controller/controller.js'
import { apiError } from '../errors.js'
import type { FaultEffect, Faults } from '../faults.js'
import type { SimulatedBroker } from '../model/broker.js'
import type { OnRequest } from '../request-log.js'
import type { AnyResponse, Api, RequestContext } from './api.js'
import { apiName, apisOf } from './api-table.js'
import { Connection, type Reply } from './connection.js'
import { HOST } from './handlers/metadata.js'
import { frameResponse, type RequestHeader, readRequestHeader } from './request-header.js'
import { reshapeAnswer } from './reshape-answer.js'

const CLOSE: Reply = { kind: 'close' }

export interface BrokerServerOptions {
  readonly broker: SimulatedBroker
  readonly controller: Controller
  readonly faults: Faults
  /** Told of each request before it is answered, with the partitions that it names. */
  readonly onRequest: OnRequest
}

/** One broker's listener on loopback. */
export class BrokerServer {
  readonly #options: BrokerServerOptions
  readonly #connections = new Map<Socket, Connection>()
  #server: Server | null = null

  constructor(options: BrokerServerOptions) {
    this.#options = options
  }

  /**
   * Opens the port, the same as before where it has one.
   * @throws Error of the system, EADDRINUSE for instance
   */
  async listen(): Promise<void> {
    if (this.#server !== null) return
    const server = createServer((socket) => {
      const connection = new Connection(
        socket,
        (frame) => this.#answer(frame),
        (ms) => this.#pause(ms),
      )
      this.#connections.set(socket, connection)
      socket.on('close', () => this.#connections.delete(socket))
    })
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#options.broker.port, HOST, () => {
        server.off('error', reject)
        resolve()
      })
    })
    const address = server.address()
    if (address !== null && typeof address === 'object') this.#options.broker.port = address.port
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      // Never: what is still waiting when the connection closes is simply dropped.
      if (Number.isFinite(ms)) this.#options.controller.cluster.clock.after(ms, resolve)
    })
  }

  async #answer(frame: Buffer): Promise<Reply> {
    const { broker, controller, onRequest } = this.#options
    const { cluster } = controller
    const { served } = apisOf(cluster.personality)
    let header: RequestHeader
    try {
      header = readRequestHeader(frame, (apiKey, version) => {
        const rpc = served.get(apiKey)?.rpc
        return rpc !== undefined && isFlexible(rpc, version)
      })
    } catch {
      return CLOSE
    }
    const { apiKey, version, correlationId, clientId } = header
    const logged = { at: new Date(cluster.clock.now()).toISOString(), broker: broker.id, apiKey, version, clientId }
    const name = apiName(cluster, apiKey)
    const one = served.get(apiKey)
    if (one === undefined || version < one.versions[0] || version > one.versions[1]) {
      onRequest({ ...logged, api: name, partitions: null }, null)
      return apiKey === ApiVersions.apiKey ? unsupportedApiVersions(correlationId, cluster.personality) : CLOSE
    }
    let request: unknown
    try {
      request = decodeRequest(one.rpc, version, header.body)
    } catch {
      onRequest({ ...logged, api: name, partitions: null }, null)
      return CLOSE
    }
    const partitions = one.named(request)
    onRequest({ ...logged, api: name, partitions: partitions?.length ?? null }, partitions)
    const effect = this.#options.faults.take({
      broker: broker.id,
      api: name,
      partitions: partitions === null ? null : partitions.map((named) => this.#byName(named)),
      topics: partitions === null ? namedTopics(request) : new Set(),
    })
    if (effect?.close && !effect.takesEffect) {
      await this.#pause(effect.delayMs)
      return CLOSE
    }
    return this.#act(one, header, request, effect)
  }

  /** GetReplicaLogInfo names topics by id. */
  #byName(named: { readonly topic: string; readonly partition: number }) {
    const { cluster } = this.#options.controller
    if (cluster.topics.has(named.topic)) return named
    const topic = named.topic.length === 22 ? cluster.topicById(named.topic) : null
    return topic === null ? named : { topic: topic.name, partition: named.partition }
  }

  async #act(one: Api, header: RequestHeader, request: unknown, effect: FaultEffect | null): Promise<Reply> {
    const { broker, controller } = this.#options
    const { cluster } = controller
    const { version, correlationId } = header
    const context: RequestContext = {
      cluster,
      controller,
      broker,
      version,
      faultFor: (topic, partition) =>
        one.needs.topic !== null && !cluster.authorizer.allowsOnTopic(one.needs.topic, topic)
          ? ErrorCode.TOPIC_AUTHORIZATION_FAILED
          : (effect?.errorFor(topic, partition) ?? ErrorCode.NONE),
      requestLimit: effect?.requestLimit ?? null,
      holdMs: 0,
    }
    let response: AnyResponse
    if (effect !== null && effect.error !== ErrorCode.NONE) {
      response = one.refuse(request, apiError(effect.error))
    } else if (one.needs.cluster !== null && !cluster.authorizer.allowsOnCluster(one.needs.cluster)) {
      response = one.refuse(request, apiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
    } else if (one.forwarded && cluster.quorum.leader < 0) {
      // The broker tries to reach a controller for so long, whatever the request's own timeout says (measured: 60 s).
      context.holdMs = cluster.quorum.requestTimeoutMs
      response = one.refuse(request, apiError(ErrorCode.REQUEST_TIMED_OUT))
    } else {
      response = one.handle(request, context)
    }
    const answered = effect?.answered ?? null
    if (answered !== null) response = reshapeAnswer(response, answered)
    const throttleMs = effect?.throttleMs ?? 0
    const told = throttleMs > 0 ? { ...response, throttleTimeMs: throttleMs } : response
    const hasTagBuffer = isFlexible(one.rpc, version) && one.rpc.apiKey !== ApiVersions.apiKey
    const bytes = frameResponse(correlationId, hasTagBuffer, encodeResponse(one.rpc, version, told))
    const delayMs = broker.responseDelayMs + context.holdMs + (effect?.delayMs ?? 0)
    if (delayMs > 0) await this.#pause(delayMs)
    if (effect?.close) return CLOSE
    return { kind: 'answer', bytes: spoil(bytes, effect?.malformed ?? null), throttleMs }
  }
}

function unsupportedApiVersions(correlationId: number, personality: 'stock' | 'kip1275'): Reply {
  const body = encodeResponse(ApiVersions, API_VERSIONS_FALLBACK_VERSION, {
    errorCode: ErrorCode.UNSUPPORTED_VERSION,
    apiKeys: [...apisOf(personality).advertised],
  })
  return { kind: 'answer', bytes: frameResponse(correlationId, false, body), throttleMs: 0 }
}

/** The topics that a request without partitions names. */
function namedTopics(request: unknown): 'all' | ReadonlySet<string> {
  const { topics, topicPartitions, resources } = request as Record<string, unknown>
  const lists = [topics, topicPartitions, resources].filter((list) => list !== undefined)
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list : []))
  // Null, and for some the empty list, asks for everything.
  if (lists.length > 0 && entries.length === 0) return 'all'
  return new Set(
    entries.flatMap((entry) => {
      const { name, topic, resourceName } = entry as Record<string, unknown>
      const found = name ?? topic ?? resourceName
      return typeof found === 'string' ? [found] : []
    }),
  )
}

const OVERSIZED = 0x7fffffff

/** Damages an answer as a fault demands. */
function spoil(bytes: Buffer, malformed: 'truncated' | 'oversized' | 'garbage' | null): Buffer {
  switch (malformed) {
    case null:
      return bytes
    case 'truncated':
      return bytes.subarray(0, Math.max(4, Math.floor(bytes.length / 2)))
    case 'oversized': {
      const lie = Buffer.from(bytes)
      lie.writeInt32BE(OVERSIZED, 0)
      return lie
    }
    case 'garbage': {
      const noise = Buffer.from(bytes)
      noise.fill(0xff, 8)
      return noise
    }
  }
}
