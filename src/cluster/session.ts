import type { BrokerAddress } from '../protocol/transport/address.js'
import type { TransportSettings } from '../protocol/transport/settings.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { errorText } from '../text/error-text.js'
import { BrokerConnections, type BrokerLink } from './connections.js'
import { type Identity, identify } from './identity.js'
import { type MetadataRead, readMetadata } from './read-metadata.js'
import { type QuorumRead, readQuorum } from './read-quorum.js'
import { MixedClustersError } from './servers-by-cluster.js'
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
/** A broker that has not told the quorum by then is not waited for alone. ms */
const QUORUM_SOON_MS = 500
/** So many others are asked then. */
const QUORUM_SECOND_OPINIONS = 2
/** So long the first reading waits for servers that did not answer first, to hear of which cluster they are. ms */
const SERVERS_HEARD_WITHIN_MS = 250

/** What is kept between reads of one cluster. */
interface SessionState {
  readonly connections: BrokerConnections
  readonly brokers: Map<number, BrokerState>
  readonly identities: Map<number, { readonly link: BrokerLink; readonly identity: Promise<Identity> }>
  clusterId: string | null
  controller: number | null
  /** Every server that was named has been asked for its cluster. */
  allAsked: Promise<void> | null
  /** Those that were tried at first have had their time to answer. */
  heard: boolean
  /** `until`: monotonic ms; then it is asked again. */
  quorum: { readonly read: Promise<QuorumRead>; until: number } | null
  /** Broker that a bootstrap connection leads to, where its address is an advertised one. */
  bootstrap: { readonly link: BrokerLink; readonly broker: number } | null
}

/** Connections, who is where, who is alive, whose view is fresh. */
export class ClusterSession {
  readonly options: SessionOptions
  readonly #state: SessionState
  /** Monotonic, ms: when the read that this session is for has to be over; null: each request has its own deadline alone. */
  readonly #until: number | null

  constructor(options: SessionOptions, state?: SessionState, until: number | null = null) {
    this.options = options
    this.#until = until
    this.#state = state ?? {
      connections: new BrokerConnections(options.transport, options.bootstrapServers, options.endpoints),
      brokers: new Map(),
      identities: new Map(),
      clusterId: null,
      controller: null,
      allAsked: null,
      heard: false,
      quorum: null,
      bootstrap: null,
    }
  }

  /** The same session for one read that takes at most so long in all: what has not answered by then has not answered. */
  within(timeMs: number): ClusterSession {
    return new ClusterSession(this.options, this.#state, performance.now() + timeMs)
  }

  get connections(): BrokerConnections {
    return this.#state.connections
  }

  /** What is left of the time for the whole read. ms; Infinity: nobody set one. */
  get timeLeftMs(): number {
    return this.#until === null ? Number.POSITIVE_INFINITY : Math.max(1, this.#until - performance.now())
  }

  get timeIsUp(): boolean {
    return this.timeLeftMs <= 1
  }

  /** For the next request. ms */
  get requestTimeoutMs(): number {
    return Math.min(this.options.requestTimeoutMs, this.timeLeftMs)
  }

  /** The controller as Metadata tells it. In ZooKeeper mode writing requests must go to it (elsewhere: error 41). */
  get controller(): number | null {
    return this.#state.controller
  }

  /** The broker that a connection leads to, as far as its address tells. */
  brokerAt(link: BrokerLink): number | null {
    return this.connections.idOf(link) ?? this.#bootstrapBroker(link)
  }

  /** As of the last read; null: never heard of. */
  brokerState(id: number): BrokerState | null {
    return this.#state.brokers.get(id) ?? null
  }

  setBrokerState(id: number, state: BrokerState): void {
    this.#state.brokers.set(id, state)
  }

  #bootstrapBroker(link: BrokerLink): number | null {
    const known = this.#state.bootstrap
    return known?.link === link ? known.broker : null
  }

  /** Id of the cluster; every later answer has to name the same one. @throws NoBrokerReachableError, ClusterChangedError */
  async clusterId(): Promise<string> {
    if (this.#state.clusterId === null) {
      const link = await this.connections.bootstrap(this.requestTimeoutMs)
      const { greeting } = this.connections
      if (greeting !== null) this.#learn(greeting, link)
    }
    return this.#state.clusterId ?? ''
  }

  /**
   * Metadata from a broker whose view is fresh, as far as that can be told. Where that broker falls silent or breaks off,
   * another one is asked, once: any of them knows.
   * @throws NoBrokerReachableError, TransportError, ClusterChangedError
   */
  async metadata(topics: readonly string[] | null): Promise<MetadataRead> {
    const { link } = await this.freshView()
    try {
      return await this.#metadataFrom(link, topics)
    } catch (error) {
      if (!(error instanceof TransportError) || error.failure === 'unsupported') throw error
      this.connections.leaveBootstrap()
      // Asked through a broker that does not answer, the quorum seems gone: to be asked again through another one.
      this.#state.quorum = null
      return this.#metadataFrom((await this.freshView(link)).link, topics)
    }
  }

  async #metadataFrom(link: BrokerLink, topics: readonly string[] | null): Promise<MetadataRead> {
    const read = await readMetadata(link, topics, this.requestTimeoutMs)
    this.#learn(read, link)
    return read
  }

  #learn(read: MetadataRead, link: BrokerLink): void {
    const state = this.#state
    if (state.clusterId !== null && read.clusterId !== state.clusterId) {
      throw new ClusterChangedError(state.clusterId, read.clusterId)
    }
    state.clusterId = read.clusterId
    state.controller = read.controller
    this.connections.learn(read.brokers)
    const up = new Set(read.brokers.map(({ id }) => id))
    for (const id of state.brokers.keys()) if (!up.has(id)) state.brokers.set(id, 'down')
    for (const id of up) state.brokers.set(id, 'up')
    const { host, port } = link.address
    const broker = read.brokers.find((one) => one.host === host && one.port === port)
    if (broker !== undefined) state.bootstrap = { link, broker: broker.id }
  }

  /** The quorum, not older than two seconds since it was told. @throws NoBrokerReachableError */
  async quorum(): Promise<QuorumRead> {
    const known = this.#state.quorum
    if (known !== null && performance.now() < known.until) return known.read
    const asked = { read: this.#askQuorum(), until: Number.POSITIVE_INFINITY }
    this.#state.quorum = asked
    const told = () => {
      asked.until = performance.now() + QUORUM_FRESH_MS
    }
    asked.read.then(told, told)
    return asked.read
  }

  /**
   * A broker may be cut off from the controllers while others are not, or be silent altogether: one that does not answer soon is
   * no reason to say that there is no quorum, so others are asked beside it. All within the time that one may take.
   */
  async #askQuorum(): Promise<QuorumRead> {
    const timeoutMs = Math.min(QUORUM_TIMEOUT_MS, this.requestTimeoutMs)
    const link = await this.connections.bootstrap(this.requestTimeoutMs)
    const first = readQuorum(link, timeoutMs)
    const soon = await answeredWithin(first, Math.min(QUORUM_SOON_MS, timeoutMs / 2))
    if (soon !== null) return soon
    const broker = this.brokerAt(link)
    const others = [...this.#state.brokers]
      .filter(([id, state]) => state === 'up' && id !== broker && !this.connections.hasEndpoint(id))
      .slice(0, QUORUM_SECOND_OPINIONS)
      .flatMap(([id]) => this.connections.link(id) ?? [])
    try {
      return await Promise.any([first, ...others.map((other) => readQuorum(other, timeoutMs))])
    } catch {
      const why = await first.catch((error: unknown) => errorText(error))
      return { kind: 'noQuorum', text: `the controller quorum does not answer: ${why}` }
    }
  }

  /**
   * A broker that has caught up with the controller, where DescribeQuorum tells; else any, with `stale` saying so.
   * @param not one that has just failed
   * @throws NoBrokerReachableError
   */
  async freshView(not: BrokerLink | null = null): Promise<{ link: BrokerLink; stale: string | null }> {
    const bootstrap = await this.connections.bootstrap(this.requestTimeoutMs)
    const quorum = await this.quorum()
    if (quorum.kind === 'notOffered') return { link: bootstrap, stale: null }
    if (quorum.kind === 'notAllowed') {
      return { link: bootstrap, stale: 'view may be stale: DescribeQuorum needs DESCRIBE on the cluster' }
    }
    if (quorum.kind === 'noQuorum') return { link: bootstrap, stale: `view may be stale: ${quorum.text}` }
    const bootstrapBroker = this.#bootstrapBroker(bootstrap)
    if (bootstrapBroker !== null && !quorum.behind.has(bootstrapBroker)) {
      return { link: bootstrap, stale: null }
    }
    for (const id of quorum.quorum.observers.keys()) {
      if (quorum.behind.has(id) || this.#state.brokers.get(id) !== 'up') continue
      const link = this.connections.link(id)
      if (link === not) continue
      const reached = await link?.connection(this.requestTimeoutMs).then(
        () => true,
        () => false,
      )
      if (link !== null && reached === true) return { link, stale: null }
    }
    if (bootstrapBroker === null && quorum.behind.size === 0) return { link: bootstrap, stale: null }
    return { link: bootstrap, stale: 'view may be stale: no broker that has caught up with the controller was reached' }
  }

  /** Who is at the other end of a broker's connection; asked once for each connection. @throws TransportError */
  async identity(id: number, link: BrokerLink): Promise<Identity> {
    const known = this.#state.identities.get(id)
    if (known?.link === link) return known.identity
    const identity = this.clusterId().then((clusterId) => identify(link, id, clusterId, this.requestTimeoutMs))
    this.#state.identities.set(id, { link, identity })
    identity.catch(() => this.#state.identities.delete(id))
    return identity
  }

  /**
   * What was told so far of servers of other clusters among those that were named; null: nothing. At the first time those that have
   * not answered yet are waited for, a moment only: the dead are to cost reading no time.
   */
  async mixture(): Promise<string | null> {
    const state = this.#state
    if (state.clusterId === null) return null
    if (!state.heard) await this.connections.servers.heard(Math.min(SERVERS_HEARD_WITHIN_MS, this.timeLeftMs))
    state.heard = true
    return this.connections.servers.mixture(state.clusterId)
  }

  /**
   * Before anything is written: every bootstrap server and endpoint that answers has to be of this cluster. They are asked once, all at once.
   * @throws MixedClustersError, NoBrokerReachableError
   */
  async refuseMixedClusters(): Promise<void> {
    await this.clusterId()
    this.#state.allAsked ??= this.connections.askAllServers(this.requestTimeoutMs)
    await this.#state.allAsked
    const mixture = await this.mixture()
    if (mixture !== null) throw new MixedClustersError(mixture)
  }

  async close(): Promise<void> {
    await this.connections.close()
  }
}

/** Null: it failed, or has not answered by then. */
async function answeredWithin<T>(answer: Promise<T>, timeMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeMs)
  })
  try {
    return await Promise.race([answer.catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Mid-session another cluster answers: a tunnel or a DNS name was moved under us. Nothing read before is valid. */
export class ClusterChangedError extends Error {
  override readonly name = 'ClusterChangedError'
  constructor(before: string, now: string) {
    super(`cluster ${now} answers where ${before} did: check bootstrap servers and tunnels, then start anew`)
  }
}
