import type { AnyRpc, RequestInput } from '../protocol/schema/rpc.js'
import { type BrokerAddress, formatAddress } from '../protocol/transport/address.js'
import { type Answer, BrokerConnection, type RequestOptions } from '../protocol/transport/connection.js'
import type { TransportSettings } from '../protocol/transport/settings.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { errorText } from '../text/error-text.js'
import { type MetadataRead, readMetadata } from './read-metadata.js'
import { ServersByCluster } from './servers-by-cluster.js'

interface ConnectAttempt {
  readonly address: string
  readonly reason: string
}

/** No broker could be reached: which were tried, and why each failed. */
export class NoBrokerReachableError extends Error {
  override readonly name = 'NoBrokerReachableError'
  constructor(readonly attempts: readonly ConnectAttempt[]) {
    super(`no broker could be reached: ${attempts.map(({ reason }) => reason).join('; ')}`)
  }
}

/** Connecting takes at most so long, however long a request may take: a dead host is to be noticed. ms */
const CONNECT_TIMEOUT_MS = 5_000

/** The one connection to a broker: opened at the first request, opened anew after it broke or stalled. */
export class BrokerLink {
  readonly address: BrokerAddress
  readonly #settings: TransportSettings
  #opening: Promise<BrokerConnection> | null = null
  /** Aborted when the link was closed: ends an attempt to connect that is under way. */
  readonly #closed = new AbortController()

  constructor(address: BrokerAddress, settings: TransportSettings, opened?: BrokerConnection) {
    this.address = address
    this.#settings = settings
    this.#opening = opened === undefined ? null : Promise.resolve(opened)
  }

  /** @throws TransportError */
  async connection(timeoutMs: number): Promise<BrokerConnection> {
    const current = this.#opening
    if (current !== null) {
      const connection = await current
      if (connection.isOpen) return connection
    }
    if (this.#opening === current) {
      const { signal } = this.#closed
      // A request that was under way when it was closed must not open it again: nobody would close that connection.
      if (signal.aborted) throw new TransportError('connection', 'the connection was closed by this program', false)
      const opening = BrokerConnection.open(
        this.address,
        this.#settings,
        Math.min(timeoutMs, CONNECT_TIMEOUT_MS),
        signal,
      )
      this.#opening = opening
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = null
      })
    }
    return this.connection(timeoutMs)
  }

  /**
   * A connection that was lost, or whose login could not be renewed, before the request left is replaced by a new one, once.
   * @throws TransportError
   */
  async request<R extends AnyRpc>(rpc: R, body: RequestInput<R>, options: RequestOptions): Promise<Answer<R>> {
    const startedAt = performance.now()
    const timeLeft = () => Math.max(1, options.timeoutMs - (performance.now() - startedAt))
    const connection = await this.connection(options.timeoutMs)
    try {
      return await connection.request(rpc, body, { ...options, timeoutMs: timeLeft() })
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      // A broker answers in order: behind a request that got stuck, nothing on this connection is answered (Kafka's own
      // client disconnects as well).
      if (error.failure === 'timeout') connection.close(`given up: ${error.message}`)
      if (error.failure === 'timeout' || error.sent || connection.isOpen) throw error
    }
    const renewed = await this.connection(timeLeft())
    return renewed.request(rpc, body, { ...options, timeoutMs: timeLeft() })
  }

  /** The versions the broker told, if it was reached. @throws TransportError */
  async versionFor(rpc: AnyRpc, timeoutMs: number): Promise<number | null> {
    return (await this.connection(timeoutMs)).versionFor(rpc)
  }

  /** For good. An attempt to connect that is under way ends at once. */
  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = null
    this.#closed.abort()
    await opening?.then(
      (connection) => connection.close(),
      () => undefined,
    )
  }
}

/** Every broker of the cluster by id. Addresses come from the metadata, unless an endpoint was given for the broker. */
export class BrokerConnections {
  readonly #settings: TransportSettings
  readonly #bootstrap: readonly BrokerAddress[]
  readonly #endpoints: ReadonlyMap<number, BrokerAddress>
  readonly #links = new Map<number, BrokerLink>()
  /** Links that were opened only to hear which cluster answers there; closed with the rest. */
  readonly #heard = new Set<BrokerLink>()
  #closed = false
  #bootstrapLink: BrokerLink | null = null
  #greeting: MetadataRead | null = null
  #bootstrapping: Promise<BrokerLink> | null = null
  /** Which cluster each server that was named, or is advertised, belongs to. */
  readonly servers = new ServersByCluster()

  constructor(
    settings: TransportSettings,
    bootstrap: readonly BrokerAddress[],
    endpoints: ReadonlyMap<number, BrokerAddress>,
  ) {
    this.#settings = settings
    this.#bootstrap = bootstrap
    this.#endpoints = endpoints
  }

  /** Whether this broker is reached at an address that the operator gave instead of the advertised one. */
  hasEndpoint(brokerId: number): boolean {
    return this.#endpoints.has(brokerId)
  }

  /**
   * Some broker to begin with. All bootstrap servers are tried at once, and the first to tell its brokers is taken: the dead cost
   * no time, nor does one that accepts connections and then falls silent. Brokers' own endpoints are tried only when no
   * bootstrap server answers: at the other end of a wrong tunnel is another cluster, and that must never be the one worked on.
   * @throws NoBrokerReachableError
   */
  bootstrap(timeoutMs: number): Promise<BrokerLink> {
    this.#bootstrapping ??= this.#findBootstrap(timeoutMs).finally(() => {
      this.#bootstrapping = null
    })
    return this.#bootstrapping
  }

  async #findBootstrap(timeoutMs: number): Promise<BrokerLink> {
    if (this.#bootstrapLink !== null) {
      try {
        await this.#bootstrapLink.connection(timeoutMs)
        return this.#bootstrapLink
      } catch {
        this.#bootstrapLink = null
      }
    }
    const advertised = [...this.#links].flatMap(([id, link]) => (this.#endpoints.has(id) ? [] : [link.address]))
    const servers = uniqueAddresses([...this.#bootstrap, ...advertised])
    const tried = new Set(servers.map(formatAddress))
    const endpoints = uniqueAddresses([...this.#endpoints.values()]).filter((one) => !tried.has(formatAddress(one)))
    const attempts: ConnectAttempt[] = []
    const first =
      (await this.#firstToAnswer(servers, timeoutMs, attempts)) ??
      (await this.#firstToAnswer(endpoints, timeoutMs, attempts))
    if (first === null) throw new NoBrokerReachableError(attempts)
    this.#bootstrapLink = first.link
    this.#greeting = first.greeting
    return first.link
  }

  /** What the present bootstrap server told when it was chosen: its cluster and brokers, no topics. */
  get greeting(): MetadataRead | null {
    return this.#greeting
  }

  /** The bootstrap server that is used now is passed over for another one, if one answers sooner. */
  leaveBootstrap(): void {
    const left = this.#bootstrapLink
    this.#bootstrapLink = null
    if (left !== null && this.idOf(left) === null) void left.close()
  }

  async #firstToAnswer(
    addresses: readonly BrokerAddress[],
    timeoutMs: number,
    attempts: ConnectAttempt[],
  ): Promise<{ readonly link: BrokerLink; readonly greeting: MetadataRead } | null> {
    const links = addresses.map((address) => this.#linkToHear(address))
    const answered = links.map(async (link) => {
      try {
        const reading = readMetadata(link, [], timeoutMs)
        void this.servers.asked(link.address, async () => (await reading).clusterId)
        return { link, greeting: await reading }
      } catch (error) {
        const address = formatAddress(link.address)
        const reason = errorText(error)
        attempts.push({ address, reason: reason.includes(address) ? reason : `${address}: ${reason}` })
        throw error
      }
    })
    const first = await Promise.any(answered).catch(() => null)
    // The others are not waited for, but heard: one of another cluster is not to go unnoticed.
    for (const [index, link] of links.entries()) {
      if (link === first?.link) continue
      const close = () => this.#closeHeard(link)
      answered[index]?.then(close, close)
    }
    if (first !== null) this.#heard.delete(first.link)
    return first
  }

  /** A read that nobody waits for may still be under way when all is closed: what it begins is closed from the start. */
  #newLink(address: BrokerAddress): BrokerLink {
    const link = new BrokerLink(address, this.#settings)
    if (this.#closed) void link.close()
    return link
  }

  #linkToHear(address: BrokerAddress): BrokerLink {
    const link = this.#newLink(address)
    this.#heard.add(link)
    return link
  }

  async #closeHeard(link: BrokerLink): Promise<void> {
    this.#heard.delete(link)
    await link.close()
  }

  /**
   * Asks every bootstrap server and endpoint that has not told its cluster yet, all at once. One that does not answer is waited for as long
   * as connecting may take, or for `timeoutMs`, whichever is less.
   */
  async askAllServers(timeoutMs: number): Promise<void> {
    const withinMs = Math.min(timeoutMs, CONNECT_TIMEOUT_MS)
    const named = this.#bootstrap.map((address) => this.#ask(this.#linkToHear(address), true, withinMs))
    const endpoints = [...this.#endpoints.keys()].flatMap((id) => {
      const link = this.link(id)
      return link === null ? [] : [this.#ask(link, false, withinMs)]
    })
    await Promise.all([...named, ...endpoints])
  }

  async #ask(link: BrokerLink, own: boolean, timeoutMs: number): Promise<void> {
    await this.servers.asked(link.address, async () => (await readMetadata(link, [], timeoutMs)).clusterId)
    if (own) await this.#closeHeard(link)
  }

  /** Takes over what the metadata says of where the brokers are. */
  learn(brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[]): void {
    for (const { id, host, port } of brokers) {
      const endpoint = this.#endpoints.get(id)
      const address = endpoint === undefined ? { host, port } : { ...endpoint, certificateName: host }
      const known = this.#links.get(id)
      if (known !== undefined && sameAddress(known.address, address)) continue
      if (known !== undefined && known !== this.#bootstrapLink) void known.close()
      const bootstrap = this.#bootstrapLink
      const reuse = bootstrap !== null && endpoint === undefined && sameAddress(bootstrap.address, address)
      this.#links.set(id, reuse ? bootstrap : this.#newLink(address))
    }
  }

  /** Null: nobody told where this broker is. */
  link(brokerId: number): BrokerLink | null {
    const known = this.#links.get(brokerId)
    if (known !== undefined) return known
    const endpoint = this.#endpoints.get(brokerId)
    if (endpoint === undefined) return null
    const link = this.#newLink(endpoint)
    this.#links.set(brokerId, link)
    return link
  }

  /** Null: not one of the brokers' own connections (a bootstrap server at another address). */
  idOf(link: BrokerLink): number | null {
    for (const [id, known] of this.#links) if (known === link) return id
    return null
  }

  async close(): Promise<void> {
    this.#closed = true
    const links = new Set([...this.#links.values(), ...this.#heard])
    if (this.#bootstrapLink !== null) links.add(this.#bootstrapLink)
    await Promise.all([...links].map((link) => link.close()))
  }
}

function sameAddress(a: BrokerAddress, b: BrokerAddress): boolean {
  return a.host === b.host && a.port === b.port
}

function uniqueAddresses(addresses: readonly BrokerAddress[]): BrokerAddress[] {
  return [...new Map(addresses.map((address) => [formatAddress(address), address])).values()]
}
