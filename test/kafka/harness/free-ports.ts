import { createServer } from 'node:net'

// Below the range from which the system takes ports for outgoing connections (Linux: 32768 up): a broker that is down for a
// while must find its port still free when it starts again.
const LOWEST = 20_000
const HIGHEST = 32_000

/** Ports of 127.0.0.1 on which nothing listens now. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  for (let attempt = 0; attempt < 1000 && found.size < count; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (!found.has(port) && (await isFree(port))) found.add(port)
  }
  if (found.size < count)
    throw new Error(`found only ${found.size} of ${count} free ports between ${LOWEST} and ${HIGHEST}`)
  return [...found]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
