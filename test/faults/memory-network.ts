import { EventEmitter } from 'node:events'

/**
 * Sockets within this process, in the place of node:net's: what is sent arrives in the next tick, in order, and nothing of the system takes part. So a
 * whole client and a whole simulated cluster run on a clock that a test drives: when no tick and no timer is left, nothing will ever happen again.
 */
export class MemoryNetwork {
  readonly #servers = new Map<number, MemoryServer>()
  readonly #open = new Set<MemorySocket>()
  #nextPort = 20_000
  /** Hosts that are cut off: what is sent to them is lost, and connecting to them never ends. By port. */
  readonly cutOff = new Set<number>()

  /** Ends of connections that are open, both sides. */
  get openEnds(): number {
    return this.#open.size
  }

  connect({ port }: { readonly port: number }, onConnect: () => void): MemorySocket {
    const socket = new MemorySocket(this, port)
    this.#open.add(socket)
    socket.once('connect', onConnect)
    process.nextTick(() => {
      if (socket.destroyed || this.cutOff.has(port)) return
      const server = this.#servers.get(port)
      if (server === undefined) {
        socket.fail(Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' }))
        return
      }
      const accepted = new MemorySocket(this, port)
      this.#open.add(accepted)
      socket.joinTo(accepted)
      server.accept(accepted)
      socket.emit('connect')
    })
    return socket
  }

  createServer(onConnection: (socket: MemorySocket) => void): MemoryServer {
    return new MemoryServer(this, onConnection)
  }

  /** @param port 0: any @throws Error where it is taken */
  bind(port: number, server: MemoryServer): number {
    const bound = port === 0 ? this.#nextPort++ : port
    if (this.#servers.has(bound)) throw Object.assign(new Error(`listen EADDRINUSE ${bound}`), { code: 'EADDRINUSE' })
    this.#servers.set(bound, server)
    return bound
  }

  unbind(port: number): void {
    this.#servers.delete(port)
  }

  forget(socket: MemorySocket): void {
    this.#open.delete(socket)
  }
}

/** One end of a connection. */
export class MemorySocket extends EventEmitter {
  readonly #network: MemoryNetwork
  readonly #port: number
  #peer: MemorySocket | null = null
  destroyed = false

  constructor(network: MemoryNetwork, port: number) {
    super()
    this.#network = network
    this.#port = port
  }

  joinTo(peer: MemorySocket): void {
    this.#peer = peer
    peer.#peer = this
  }

  write(data: Buffer | string, encoding?: BufferEncoding): boolean {
    const peer = this.#peer
    if (this.destroyed || peer === null || this.#network.cutOff.has(this.#port)) return false
    const copy = typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data)
    process.nextTick(() => {
      if (!peer.destroyed) peer.emit('data', copy)
    })
    return true
  }

  end(): this {
    return this.destroy()
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this
    this.#close()
    process.nextTick(() => {
      if (error !== undefined) this.emit('error', error)
      this.emit('close')
    })
    const peer = this.#peer
    // A host that was cut off hears nothing of it.
    if (peer !== null && !this.#network.cutOff.has(this.#port)) process.nextTick(() => peer.#peerIsGone())
    return this
  }

  fail(error: Error): void {
    if (this.destroyed) return
    this.#close()
    this.emit('error', error)
    this.emit('close')
  }

  #peerIsGone(): void {
    if (this.destroyed) return
    this.emit('end')
    if (this.destroyed) return
    this.#close()
    this.emit('close')
  }

  #close(): void {
    this.destroyed = true
    this.#network.forget(this)
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

export class MemoryServer extends EventEmitter {
  readonly #network: MemoryNetwork
  readonly #onConnection: (socket: MemorySocket) => void
  #port: number | null = null

  constructor(network: MemoryNetwork, onConnection: (socket: MemorySocket) => void) {
    super()
    this.#network = network
    this.#onConnection = onConnection
  }

  listen(port: number, _host: string, onListening: () => void): this {
    this.#port = this.#network.bind(port, this)
    process.nextTick(onListening)
    return this
  }

  accept(socket: MemorySocket): void {
    this.#onConnection(socket)
  }

  address(): { readonly port: number } | null {
    return this.#port === null ? null : { port: this.#port }
  }

  close(onClosed: () => void): this {
    if (this.#port !== null) this.#network.unbind(this.#port)
    this.#port = null
    process.nextTick(onClosed)
    return this
  }
}

let current = new MemoryNetwork()

/** A network of its own for the next run. */
export function freshNetwork(): MemoryNetwork {
  current = new MemoryNetwork()
  return current
}

/**
 * What takes the place of node:net: `vi.mock('node:net', ...)` in a test file leads here, to the network of the run under way. This module must not
 * import anything that imports node:net.
 */
export const memoryNet = {
  connect: (options: { readonly port: number }, onConnect: () => void) => current.connect(options, onConnect),
  createServer: (onConnection: (socket: MemorySocket) => void) => current.createServer(onConnection),
}
