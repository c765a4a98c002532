import type { BrokerAddress } from '../protocol/transport/address.js'
import type { TransportSettings } from '../protocol/transport/settings.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { BrokerConnections, type BrokerLink, NoBrokerReachableError } from './connections.js'
import { type Identity, identify } from './identity.js'
import { type MetadataRead, readMetadata } from './read-metadata.js'
import { type QuorumRead, readQuorum } from './read-quorum.js'
import type { BrokerState } from './snapshot.js'

export interface SessionOptions {
  readonly bootstrapServers: readonly BrokerAddress[]
  readonly endpoints: ReadonlyMap<number, BrokerAddress>
  readonly transport: TransportSettings
  readonly requestTimeoutMs: number
  /** GetReplicaLogInfo's api key where it is offered (`unstable.getReplicaLogInfoApiKey`). */
  readonly replicaLogInfoApiKey: number
}

/** The quorum is asked again after this: it decides which broker's view is read. ms */
const QUORUM_FRESH_MS = 2_000
/** Without a quorum a broker holds DescribeQuorum back until its own time-out: the rest is not to wait for that. ms */
const QUORUM_TIMEOUT_MS = 3_000

/** What is kept between reads of one cluster: connections, who is where, who is alive, whose view is fresh. */
export class ClusterSession {
  readonly options: SessionOptions
  readonly connections: BrokerConnections
  #clusterId: string | null = null
  #controller: number | null = null
  #states = new Map<number, BrokerState>()
  #quorum: { readonly read: Promise<QuorumRead>; readonly at: number } | null = null
  readonly #identities = new Map<number, { readonly link: BrokerLink; readonly identity: Promise<Identity> }>()
  /**
   * The last written epoch that each replica told last, by broker and partitionName. Only a hint where to begin the search when
   * it is read again (before a write, after an election): it saves rounds, and a wrong one does no harm.
   */
  readonly lastEpochs = new Map<number, Map<string, number>>()
  /** Broker that the bootstrap connection leads to, where its address is an advertised one. */
  #bootstrapBroker: number | null = null

  constructor(options: SessionOptions) {
    this.options = options
    this.connections = new BrokerConnections(options.transport, options.bootstrapServers, options.endpoints)
  }

  get requestTimeoutMs(): number {
    return this.options.requestTimeoutMs
  }

  /** The controller as Metadata tells it. In ZooKeeper mode writing requests must go to it (elsewhere: error 41). */
  get controller(): number | null {
    return this.#controller
  }

  /** The broker that a connection leads to, as far as its address tells. */
  brokerAt(link: BrokerLink): number | null {
    return this.connections.idOf(link) ?? this.#bootstrapBroker
  }

  /** As of the last read; null: never heard of. */
  brokerState(id: number): BrokerState | null {
    return this.#states.get(id) ?? null
  }

  setBrokerState(id: number, state: BrokerState): void {
    this.#states.set(id, state)
  }

  /** Id of the cluster; every later answer has to name the same one. @throws NoBrokerReachableError, TransportError */
  async clusterId(): Promise<string> {
    if (this.#clusterId === null) await this.metadata([])
    return this.#clusterId ?? ''
  }

  /**
   * Metadata from a broker whose view is fresh, as far as that can be told.
   * @throws NoBrokerReachableError, TransportError, ClusterChangedError
   */
  async metadata(topics: readonly string[] | null): Promise<MetadataRead> {
    const { link } = await this.freshView()
    const read = await readMetadata(link, topics, this.requestTimeoutMs)
    this.#learn(read, link)
    return read
  }

  #learn(read: MetadataRead, link: BrokerLink): void {
    if (this.#clusterId !== null && read.clusterId !== this.#clusterId) {
      throw new ClusterChangedError(this.#clusterId, read.clusterId)
    }
    this.#clusterId = read.clusterId
    this.#controller = read.controller
    this.connections.learn(read.brokers)
    const up = new Set(read.brokers.map(({ id }) => id))
    for (const id of this.#states.keys()) if (!up.has(id)) this.#states.set(id, 'down')
    for (const id of up) this.#states.set(id, 'up')
    this.#bootstrapBroker ??=
      read.brokers.find(({ host, port }) => host === link.address.host && port === link.address.port)?.id ?? null
  }

  /** The quorum, not older than two seconds. Null: could not be asked (connection). */
  async quorum(): Promise<QuorumRead> {
    const now = performance.now()
    if (this.#quorum === null || now - this.#quorum.at > QUORUM_FRESH_MS) {
      this.#quorum = { read: this.#askQuorum(), at: now }
    }
    return this.#quorum.read
  }

  async #askQuorum(): Promise<QuorumRead> {
    try {
      const link = await this.connections.bootstrap(this.requestTimeoutMs)
      return await readQuorum(link, Math.min(QUORUM_TIMEOUT_MS, this.requestTimeoutMs))
    } catch (error) {
      if (error instanceof NoBrokerReachableError) throw error
      const text = error instanceof Error ? error.message : String(error)
      // The broker answers us, but the controller does not answer it: that is what no quorum looks like from here.
      if (error instanceof TransportError && error.failure === 'timeout') {
        return { kind: 'noQuorum', text: `the controller quorum does not answer: ${text}` }
      }
      return { kind: 'noQuorum', text: `the controller quorum could not be asked: ${text}` }
    }
  }

  /**
   * A broker that has caught up with the controller, where DescribeQuorum tells; else any, with `stale` saying so.
   * @throws NoBrokerReachableError
   */
  async freshView(): Promise<{ link: BrokerLink; stale: string | null }> {
    const bootstrap = await this.connections.bootstrap(this.requestTimeoutMs)
    const quorum = await this.quorum()
    if (quorum.kind === 'notOffered') return { link: bootstrap, stale: null }
    if (quorum.kind === 'notAllowed') {
      return { link: bootstrap, stale: 'view may be stale: DescribeQuorum needs DESCRIBE on the cluster' }
    }
    if (quorum.kind === 'noQuorum') return { link: bootstrap, stale: `view may be stale: ${quorum.text}` }
    if (this.#bootstrapBroker !== null && !quorum.behind.has(this.#bootstrapBroker)) {
      return { link: bootstrap, stale: null }
    }
    for (const id of quorum.quorum.observers.keys()) {
      if (quorum.behind.has(id) || this.#states.get(id) !== 'up') continue
      const link = this.connections.link(id)
      const reached = await link?.connection(this.requestTimeoutMs).then(
        () => true,
        () => false,
      )
      if (link !== null && reached === true) return { link, stale: null }
    }
    if (this.#bootstrapBroker === null && quorum.behind.size === 0) return { link: bootstrap, stale: null }
    return { link: bootstrap, stale: 'view may be stale: no broker that has caught up with the controller was reached' }
  }

  /** Who is at the other end of a broker's connection; asked once for each connection. @throws TransportError */
  async identity(id: number, link: BrokerLink): Promise<Identity> {
    const known = this.#identities.get(id)
    if (known?.link === link) return known.identity
    const identity = this.clusterId().then((clusterId) => identify(link, id, clusterId, this.requestTimeoutMs))
    this.#identities.set(id, { link, identity })
    identity.catch(() => this.#identities.delete(id))
    return identity
  }

  async close(): Promise<void> {
    await this.connections.close()
  }
}

/** Mid-session another cluster answers: a tunnel or a DNS name was moved under us. Nothing read before is valid. */
export class ClusterChangedError extends Error {
  override readonly name = 'ClusterChangedError'
  constructor(before: string, now: string) {
    super(`cluster ${now} answers where ${before} did: check bootstrap servers and tunnels, then start anew`)
  }
}
