import { expect, onTestFinished } from 'vitest'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { recovery } from '../cli/harness.js'
import {
  type Behaviour,
  drip,
  type HostileBroker,
  hostileBroker,
  metadataFrame,
  pour,
  versionsFrame,
} from './hostile-broker.js'
import { ACTED_ON } from './hostile-names.js'

/** Starts it and stops it when the test is over. */
export async function started(behaviour: Behaviour): Promise<HostileBroker> {
  const broker = await hostileBroker(behaviour)
  onTestFinished(() => broker.stop())
  return broker
}

export const NOISE = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7919 + (at >> 3)) & 0xff))
/** The beginning of a frame of that length. */
export const claims = (length: number) => {
  const head = Buffer.alloc(4)
  head.writeInt32BE(length, 0)
  return head
}

/** What may answer at a broker's address. */
export const BEHAVIOURS: readonly (readonly [string, Behaviour])[] = [
  ['noise without end', { onConnect: (socket) => pour(socket, NOISE) }],
  [
    'a page of a web server',
    { onRequest: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n\u001b]0;owned\u0007') },
  ],
  ['an alert of TLS', { onRequest: (socket) => socket.end(Buffer.of(21, 3, 3, 0, 2, 2, 22)) }],
  ['a frame of 2 GB', { onRequest: (socket) => socket.write(claims(0x7fffffff)) }],
  [
    'a frame of 200 MB that only drips',
    { onRequest: (socket) => drip(socket, Buffer.concat([claims(200 * 1024 * 1024), NOISE]), 20) },
  ],
  [
    'answers with the ids of other requests',
    { onRequest: (socket, { correlationId }) => socket.write(versionsFrame(correlationId + 1_000)) },
  ],
  ['answers to requests that nobody sent, without end', { onConnect: (socket) => pour(socket, versionsFrame(77)) }],
  ['nothing at all', {}],
  ['a connection that closes at once', { onConnect: (socket) => socket.end() }],
  [
    'a right beginning, and then one byte a while',
    {
      onRequest: (socket, asked) => {
        if (asked.apiKey === ApiVersions.apiKey) socket.write(versionsFrame(asked.correlationId))
        else drip(socket, metadataFrame(asked, 1), 400)
      },
    },
  ],
]

/** The program, asked for the status of what answers there, ends soon and with one line that says where. */
export async function expectEndsSoon(behaviour: Behaviour): Promise<void> {
  const broker = await started(behaviour)
  const startedAt = performance.now()
  const { exit, stdout, stderr } = await recovery(
    'status',
    '--bootstrap-server',
    `127.0.0.1:${broker.port}`,
    '--request-timeout-ms',
    '700',
  )
  expect(exit).toBe(3)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(`127.0.0.1:${broker.port}`)
  expect(stderr).not.toMatch(ACTED_ON)
  // Two deadlines and a program that starts on a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(45_000)
}

/** To connect to it and to nothing else. */
export const session = (port: number, requestTimeoutMs: number) => ({
  bootstrapServers: [{ host: '127.0.0.1', port }],
  endpoints: new Map(),
  requestTimeoutMs,
  replicaLogInfoApiKey: 93,
  transport: { clientId: 'test', tls: null, sasl: null, readOnly: false },
})
