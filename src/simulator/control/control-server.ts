import { createServer, type Server, type Socket } from 'node:net'
import { HOST } from '../server/handlers/metadata.js'
import type { RunningSimulator } from '../simulator.js'
import { type ControlAnswer, controlRequest, MAX_LINE_BYTES } from './control-protocol.js'
import { eventOfWords } from './control-words.js'

export interface ControlServer {
  /** `127.0.0.1:P` */
  readonly address: string
  /** Closes the port and every connection. */
  close(): Promise<void>
}

/**
 * Listens on loopback for what shall happen to a simulator.
 * @param port 0: a free one
 * @throws Error of the system when the port is taken
 */
export async function startControl(simulator: RunningSimulator, port: number): Promise<ControlServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, simulator)
  })
  await listen(server, port)
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the control port was not told by the system')
  return {
    address: `${HOST}:${bound.port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function serve(socket: Socket, simulator: RunningSimulator): void {
  let pending = ''
  // One after the other: answers come in the order of their requests.
  let last: Promise<void> = Promise.resolve()
  const tell = (answer: ControlAnswer): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`)
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    pending += chunk
    const lines = pending.split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) {
      if (line.trim() === '') continue
      last = last.then(async () => tell(await happen(simulator, line)))
    }
    if (pending.length <= MAX_LINE_BYTES) return
    pending = ''
    socket.end(
      `${JSON.stringify({ error: `a line is longer than ${MAX_LINE_BYTES} bytes` } satisfies ControlAnswer)}\n`,
    )
  })
}

async function happen(simulator: RunningSimulator, line: string): Promise<ControlAnswer> {
  try {
    const request = controlRequest.safeParse(JSON.parse(line))
    if (!request.success) return { error: 'a request is a JSON list of words, as in ["fail-dir","1","/data/a"]' }
    await simulator.apply(eventOfWords(request.data))
    return { done: true }
  } catch (error) {
    if (error instanceof SyntaxError) return { error: 'a request is one line of JSON' }
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
