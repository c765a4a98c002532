import type { Socket } from 'node:net'
import { FrameReader } from './frames.js'

/** What becomes of one request. */
export type Reply =
  /** Bytes for the socket, and how long the connection's next request has to wait, ms. */
  { readonly kind: 'answer'; readonly bytes: Buffer; readonly throttleMs: number } | { readonly kind: 'close' }

/**
 * One client's connection. As on a real broker the next request is looked at once the one before was answered: answers come in
 * the order of the requests, and a slow one holds up those behind it.
 */
export class Connection {
  readonly #socket: Socket
  readonly #answer: (frame: Buffer) => Promise<Reply>
  readonly #pause: (ms: number) => Promise<void>
  readonly #reader = new FrameReader()
  readonly #waiting: Buffer[] = []
  #busy = false
  #closed = false

  constructor(socket: Socket, answer: (frame: Buffer) => Promise<Reply>, pause: (ms: number) => Promise<void>) {
    this.#socket = socket
    this.#answer = answer
    this.#pause = pause
    socket.setNoDelay(true)
    socket.on('data', (piece: Buffer) => this.#receive(piece))
    // A client that resets the connection is gone: nothing to do about it.
    socket.on('error', () => this.close())
    socket.on('close', () => {
      this.#closed = true
      this.#waiting.length = 0
    })
  }

  close(): void {
    this.#closed = true
    this.#waiting.length = 0
    this.#socket.destroy()
  }

  #receive(piece: Buffer): void {
    try {
      this.#waiting.push(...this.#reader.push(piece))
    } catch {
      // A length that no broker takes: it closes the connection.
      this.close()
      return
    }
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      for (;;) {
        const frame = this.#waiting.shift()
        if (frame === undefined || this.#closed) break
        const reply = await this.#answer(frame)
        if (this.#closed) break
        if (reply.kind === 'close') {
          this.close()
          break
        }
        this.#socket.write(reply.bytes)
        if (reply.throttleMs > 0) await this.#pause(reply.throttleMs)
      }
    } finally {
      this.#busy = false
    }
  }
}
