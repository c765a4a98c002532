import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type AnyRpc,
  decodeResponse,
  encodeRequest,
  isFlexible,
  type RequestInput,
  type ResponseOf,
} from '../../src/protocol/schema/rpc.js'
import { parseScenario, type Scenario } from '../../src/simulator/scenario.js'
import { type RunningSimulator, type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.js'

/** A scenario as a test writes it, checked as a file would be; brokers 1 to 3 with two directories each unless given. */
export function scenarioOf(parts: Partial<Record<keyof Scenario, unknown>>): Scenario {
  const brokers = [1, 2, 3].map((id) => ({ id, logDirs: ['/data/a', '/data/b'] }))
  return parseScenario(JSON.stringify({ clusterId: 'SIMULATED-test', brokers, topics: [], ...parts }), 'test')
}

/** Starts it and stops it when the test is over. */
export async function start(scenario: Scenario, options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const running = await startSimulator(scenario, options)
  onTestFinished(() => running.stop())
  return running
}

interface Waiting {
  readonly resolve: (frame: Buffer) => void
  readonly reject: (error: Error) => void
}

/** A bare connection to one broker: the codec alone, none of the program's own transport. */
export class TestClient {
  readonly socket: Socket
  readonly #waiting: Waiting[] = []
  #received = Buffer.alloc(0)
  #correlation = 0
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (piece: Buffer) => this.#receive(piece))
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error('the broker closed the connection'))
        resolve()
      })
    })
  }

  static async open(running: RunningSimulator, broker: number): Promise<TestClient> {
    const socket = connect(running.ports.get(broker) ?? 0, '127.0.0.1')
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    onTestFinished(() => {
      socket.destroy()
    })
    return new TestClient(socket)
  }

  /** The answer to one request; rejects when the connection closes first. */
  async call<R extends AnyRpc>(rpc: R, version: number, body: RequestInput<R>): Promise<ResponseOf<R>> {
    const frame = await this.send(requestFrame(rpc, version, body, ++this.#correlation))
    const flexibleHeader = isFlexible(rpc, version) && rpc.apiKey !== 18
    return decodeResponse(rpc, version, frame.subarray(flexibleHeader ? 5 : 4))
  }

  /** Sends bytes as they are; resolves with the next answer's frame, correlation id first. */
  send(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.socket.write(bytes)
    })
  }

  #receive(piece: Buffer): void {
    this.#received = Buffer.concat([this.#received, piece])
    while (this.#received.length >= 4) {
      const end = 4 + this.#received.readInt32BE(0)
      if (this.#received.length < end) break
      this.#waiting.shift()?.resolve(this.#received.subarray(4, end))
      this.#received = this.#received.subarray(end)
    }
  }
}

export function requestFrame<R extends AnyRpc>(
  rpc: R,
  version: number,
  body: RequestInput<R>,
  correlationId = 1,
): Buffer {
  const flexible = isFlexible(rpc, version)
  const head = Buffer.alloc(14 + (flexible ? 1 : 0))
  const encoded = encodeRequest(rpc, version, body)
  head.writeInt32BE(head.length - 4 + encoded.length, 0)
  head.writeInt16BE(rpc.apiKey, 4)
  head.writeInt16BE(version, 6)
  head.writeInt32BE(correlationId, 8)
  head.writeInt16BE(-1, 12)
  return Buffer.concat([head, encoded])
}

/** One request over a connection of its own. */
export async function ask<R extends AnyRpc>(
  running: RunningSimulator,
  broker: number,
  rpc: R,
  version: number,
  body: RequestInput<R>,
): Promise<ResponseOf<R>> {
  const client = await TestClient.open(running, broker)
  try {
    return await client.call(rpc, version, body)
  } finally {
    client.socket.destroy()
  }
}

/** A log for a scenario, in /data/a. */
export function log(start: number, end: number, epochs: readonly (readonly [number, number])[], more: object = {}) {
  return { logDir: '/data/a', logStartOffset: start, logEndOffset: end, epochs, ...more }
}
