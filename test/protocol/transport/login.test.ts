import { afterEach, describe, expect, it } from 'vitest'
import { BrokerLink } from '../../../src/cluster/connections.js'
import { ApiVersions } from '../../../src/protocol/rpc/api-versions.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import { encodeResponse } from '../../../src/protocol/schema/rpc.js'
import type { BearerToken, TransportSettings } from '../../../src/protocol/transport/settings.js'
import { type FakeBroker, type FakeRequest, fakeBroker } from './fake-broker.js'

// Logins as a broker sees them byte by byte, and what becomes of one that runs out. With real brokers: test/kafka/logins.

const SASL_HANDSHAKE = 17
const SASL_AUTHENTICATE = 36
const NONE = 0
const ILLEGAL_SASL_STATE = 34
const SASL_AUTHENTICATION_FAILED = 58

interface SaslAnswer {
  readonly error?: number
  readonly message?: string
  readonly bytes?: string
  /** ms; 0: the login lasts for ever. */
  readonly lifetimeMs?: number
}

const open: { broker?: FakeBroker; link?: BrokerLink } = {}
afterEach(async () => {
  await open.link?.close()
  await open.broker?.close()
})

const versions = encodeResponse(ApiVersions, 3, {
  errorCode: 0,
  apiKeys: [Metadata.apiKey, SASL_HANDSHAKE, SASL_AUTHENTICATE].map((apiKey) => ({
    apiKey,
    minVersion: 0,
    maxVersion: apiKey === Metadata.apiKey ? 12 : 1,
  })),
})
const metadata = Buffer.concat([
  Buffer.of(0),
  encodeResponse(Metadata, 12, { brokers: [], clusterId: 'logged-in', topics: [] }),
])

/** A link to a broker that takes logins as `answer` says (by the number of the login message, over all connections). */
async function linkTo(
  sasl: TransportSettings['sasl'],
  answer: (message: string, count: number) => SaslAnswer,
  handshake: (count: number) => number = () => NONE,
) {
  const seen = { handshakes: 0, messages: [] as string[], requests: 0 }
  open.broker = await fakeBroker((request, socket) => {
    switch (request.apiKey) {
      case ApiVersions.apiKey:
        return versions
      case SASL_HANDSHAKE: {
        seen.handshakes += 1
        const code = handshake(seen.handshakes)
        // A real broker ends the connection after a refusal.
        if (code !== NONE) setImmediate(() => socket.end())
        return handshakeAnswer(code)
      }
      case SASL_AUTHENTICATE:
        seen.messages.push(loginMessage(request))
        return authenticateAnswer(answer(seen.messages.at(-1) ?? '', seen.messages.length))
      default:
        seen.requests += 1
        return metadata
    }
  })
  open.link = new BrokerLink(
    { host: '127.0.0.1', port: open.broker.port },
    { clientId: 'test', tls: null, sasl, readOnly: false },
  )
  return { link: open.link, seen, broker: open.broker }
}

const ask = (link: BrokerLink) =>
  link.request(Metadata, { topics: [], allowAutoTopicCreation: false }, { timeoutMs: 10_000 })

const PLAIN = { mechanism: 'PLAIN', username: 'us\u00e9r', password: 'p,=w "\\\u20ac' } as const
const bearer = (token: Partial<BearerToken> = {}) =>
  ({ mechanism: 'OAUTHBEARER', token: async () => ({ value: 'to.ke.n', extensions: {}, ...token }) }) as const

describe('what a broker gets', () => {
  it('PLAIN: name and password as UTF-8', async () => {
    const { link, seen } = await linkTo(PLAIN, () => ({}))
    await ask(link)
    expect(seen.messages).toEqual(['\0us\u00e9r\0p,=w "\\\u20ac'])
  })

  it('OAUTHBEARER: the token, and extensions behind it', async () => {
    const { link, seen } = await linkTo(bearer({ extensions: { logicalCluster: 'c 1', pool: 'p' } }), () => ({}))
    await ask(link)
    expect(seen.messages).toEqual(['n,,\u0001auth=Bearer to.ke.n\u0001logicalCluster=c 1\u0001pool=p\u0001\u0001'])
  })

  it('OAUTHBEARER without extensions, and an answer without bytes at all (-1)', async () => {
    const { link, seen } = await linkTo(bearer(), () => ({}))
    await ask(link)
    expect(seen.messages).toEqual(['n,,\u0001auth=Bearer to.ke.n\u0001\u0001'])
  })
})

describe('what is refused', () => {
  it('a token, by a challenge: that is answered with 0x01 and is no success', async () => {
    const { link, seen } = await linkTo(bearer(), (message) =>
      message === '\u0001'
        ? { error: SASL_AUTHENTICATION_FAILED, message: 'Authentication failed' }
        : { bytes: '{"status":"invalid_token","scope":"to.ke.n"}' },
    )
    const failure = await ask(link).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      failure: 'authentication',
      sent: false,
      message: expect.stringMatching(
        /OAUTHBEARER was refused: the token was refused \(invalid_token\); check sasl\.oauth/,
      ),
    })
    expect(String(failure)).not.toContain('to.ke.n')
    expect(seen.messages.at(-1)).toBe('\u0001')
    expect(seen.requests).toBe(0)
  })

  it("a password, in the broker's words", async () => {
    const { link } = await linkTo(PLAIN, () => ({
      error: SASL_AUTHENTICATION_FAILED,
      message: 'Authentication failed: Invalid username or password',
    }))
    const failure = await ask(link).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      failure: 'authentication',
      message: expect.stringMatching(
        /the login with PLAIN was refused: Invalid username or password; check sasl\.jaas/,
      ),
    })
    expect(String(failure)).not.toContain('p,=w')
  })

  it.each([
    [33, /this listener does not offer PLAIN: check sasl\.mechanism/],
    [ILLEGAL_SASL_STATE, /this listener wants no login: check security\.protocol/],
  ])('the login as such, by code %i', async (code, says) => {
    const { link } = await linkTo(
      PLAIN,
      () => ({}),
      () => code,
    )
    await expect(ask(link)).rejects.toMatchObject({ failure: 'authentication', message: expect.stringMatching(says) })
  })
})

describe('a login that lasts only so long (KIP-368)', () => {
  it('is renewed on the open connection, when most of its time is over, and not at every request', async () => {
    const { link, seen, broker } = await linkTo(PLAIN, () => ({ lifetimeMs: 300 }))
    const deadline = Date.now() + 10_000
    while (seen.handshakes < 3 && Date.now() < deadline) await ask(link)
    expect(seen.handshakes).toBe(3)
    expect(broker.connections()).toBe(1)
    expect(seen.requests).toBeGreaterThan(5 * seen.handshakes)
  })

  it('several requests that find it run out share one renewal', async () => {
    const { link, seen } = await linkTo(PLAIN, () => ({ lifetimeMs: 100 }))
    await ask(link)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await Promise.all(Array.from({ length: 20 }, () => ask(link)))
    expect(seen.handshakes).toBe(2)
  })

  it('where it cannot be renewed, a new connection is opened, and the request goes out there', async () => {
    const { link, seen, broker } = await linkTo(
      PLAIN,
      () => ({ lifetimeMs: 100 }),
      (count) => (count === 2 ? ILLEGAL_SASL_STATE : NONE),
    )
    await ask(link)
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect((await ask(link)).body.clusterId).toBe('logged-in')
    expect(broker.connections()).toBe(2)
    expect(seen.requests).toBe(2)
  })

  it('where it is refused for good, that is what is said', async () => {
    const { link } = await linkTo(PLAIN, (_message, count) =>
      count === 1
        ? { lifetimeMs: 100 }
        : { error: SASL_AUTHENTICATION_FAILED, message: 'Authentication failed: locked' },
    )
    await ask(link)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await expect(ask(link)).rejects.toMatchObject({
      failure: 'authentication',
      sent: false,
      message: expect.stringContaining('locked'),
    })
  })
})

it('a token that never comes: given up at the deadline, and the token endpoint is named', async () => {
  const never = { mechanism: 'OAUTHBEARER', token: () => new Promise<BearerToken>(() => {}) } as const
  const { link } = await linkTo(never, () => ({}))
  const asked = link.request(Metadata, { topics: [], allowAutoTopicCreation: false }, { timeoutMs: 100 })
  await expect(asked).rejects.toMatchObject({
    failure: 'timeout',
    sent: false,
    message: expect.stringMatching(
      /did not complete the login with OAUTHBEARER .*token\.endpoint\.url\) within 100 ms/,
    ),
  })
})

it('a listener that wants a login closes at the first request: that is said', async () => {
  open.broker = await fakeBroker((request, socket) => {
    if (request.apiKey === ApiVersions.apiKey) return versions
    socket.destroy()
    return null
  })
  const address = { host: '127.0.0.1', port: open.broker.port }
  open.link = new BrokerLink(address, { clientId: 'test', tls: null, sasl: null, readOnly: false })
  await expect(ask(open.link)).rejects.toMatchObject({
    failure: 'connection',
    message: expect.stringMatching(/does this listener want TLS or a login\? Check security\.protocol/),
  })
})

/** SaslAuthenticate 1: request header 1 (key, version, correlation id, client id), then the bytes with their length. */
function loginMessage({ body }: FakeRequest): string {
  const clientId = body.readInt16BE(8)
  const at = 10 + Math.max(0, clientId)
  return body.subarray(at + 4, at + 4 + body.readInt32BE(at)).toString('utf8')
}

function handshakeAnswer(errorCode: number): Buffer {
  const mechanisms = errorCode === NONE ? ['PLAIN', 'OAUTHBEARER'] : []
  return Buffer.concat([int16(errorCode), int32(mechanisms.length), ...mechanisms.map(text)])
}

function authenticateAnswer({ error = NONE, message, bytes, lifetimeMs = 0 }: SaslAnswer): Buffer {
  const lifetime = Buffer.alloc(8)
  lifetime.writeBigInt64BE(BigInt(lifetimeMs))
  const told = bytes === undefined ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(bytes)), Buffer.from(bytes)])
  return Buffer.concat([int16(error), message === undefined ? int16(-1) : text(message), told, lifetime])
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}
