import { connect, type Socket } from 'node:net'
import { ApiVersions } from '../../../src/protocol/rpc/api-versions.js'
import {
  type AnyRpc,
  decodeResponse,
  encodeRequest,
  isFlexible,
  type RequestInput,
  type ResponseOf,
} from '../../../src/protocol/schema/rpc.js'

const CLIENT_ID = 'kafka-recovery-test'
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000

interface Waiting {
  answer(body: Buffer): void
  fail(error: Error): void
}

/** One plain connection to one broker, with nothing between it and our codec: what the real broker says to our bytes. */
export class WireClient {
  readonly #waiting = new Map<number, Waiting>()
  #correlationId = 0
  #received: Buffer[] = []
  #receivedBytes = 0
  #closed: Error | null = null

  private constructor(
    private readonly socket: Socket,
    private readonly address: string,
  ) {
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error(`${address} closed the connection`)))
  }

  static connect(port: number): Promise<WireClient> {
    const address = `127.0.0.1:${port}`
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      const timer = setTimeout(() => socket.destroy(new Error(`${address} did not accept a connection`)), CONNECT_MS)
      socket.once('error', reject)
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve(new WireClient(socket, address))
      })
    })
  }

  get closed(): boolean {
    return this.#closed !== null
  }

  /** Sends one request in the version given, and waits for its answer. Several may be under way. */
  send<R extends AnyRpc>(
    definition: R,
    version: number,
    body: RequestInput<R>,
    deadlineMs = ANSWER_MS,
  ): Promise<ResponseOf<R>> {
    if (this.#closed !== null) return Promise.reject(this.#closed)
    const correlationId = this.#correlationId++
    const flexible = isFlexible(definition, version)
    const frame = framed(definition.apiKey, version, correlationId, flexible, encodeRequest(definition, version, body))
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        this.#waiting.delete(correlationId)
      }
      const fail = (error: Error) => {
        settle()
        reject(error)
      }
      const what = `${definition.name} ${version}`
      const timer = setTimeout(
        () => fail(new Error(`${this.address} did not answer ${what} within ${deadlineMs} ms`)),
        deadlineMs,
      )
      this.#waiting.set(correlationId, {
        fail,
        answer(response) {
          settle()
          try {
            // The response header of ApiVersions never has tagged fields (KIP-511); nobody sends any in the others.
            const headerTags = flexible && definition.apiKey !== ApiVersions.apiKey ? 1 : 0
            resolve(decodeResponse(definition, version, response.subarray(headerTags)))
          } catch (error) {
            reject(new Error(`the answer to ${what} does not decode`, { cause: error }))
          }
        },
      })
      this.socket.write(frame)
    })
  }

  close(): void {
    this.socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#receivedBytes += chunk.length
    while (this.#receivedBytes >= 4) {
      const first = this.#received[0] as Buffer
      const head = first.length >= 4 ? first : this.#join()
      const size = head.readInt32BE(0)
      if (this.#receivedBytes < 4 + size) return
      const all = this.#join()
      const frame = all.subarray(4, 4 + size)
      this.#received = [all.subarray(4 + size)]
      this.#receivedBytes -= 4 + size
      this.#waiting.get(frame.readInt32BE(0))?.answer(frame.subarray(4))
    }
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#received)
    this.#received = [all]
    return all
  }

  #fail(error: Error): void {
    if (this.#closed !== null) return
    this.#closed = error
    for (const waiting of [...this.#waiting.values()]) waiting.fail(error)
    this.socket.destroy()
  }
}

/** Size, request header (version 2 where flexible, with no tagged fields; else 1), body. */
function framed(apiKey: number, version: number, correlationId: number, flexible: boolean, body: Buffer): Buffer {
  const clientId = Buffer.from(CLIENT_ID)
  const header = Buffer.alloc(4 + 2 + 2 + 4 + 2)
  header.writeInt16BE(apiKey, 4)
  header.writeInt16BE(version, 6)
  header.writeInt32BE(correlationId, 8)
  header.writeInt16BE(clientId.length, 12)
  const frame = Buffer.concat([header, clientId, Buffer.alloc(flexible ? 1 : 0), body])
  frame.writeInt32BE(frame.length - 4, 0)
  return frame
}
