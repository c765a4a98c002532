import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { clientCredentialsTokens } from '../../src/cluster/oauth-token.js'
import type { OauthSettings } from '../../src/config/sasl-settings.js'
import { Secret } from '../../src/config/secret.js'

// How long a token is kept, and what is said where there is none. With a real broker: test/kafka/logins.

interface Answer {
  readonly status?: number
  readonly body?: object | string
}

/** A token endpoint that answers as told, by the number of the request. */
async function endpoint(
  answer: (count: number) => Answer,
  url: (port: number) => string = (port) => `http://127.0.0.1:${port}/token`,
) {
  const requests: { readonly authorization: string | undefined; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    requests.push({ authorization: request.headers.authorization, body })
    const { status = 200, body: told = {} } = answer(requests.length)
    response.writeHead(status).end(typeof told === 'string' ? told : JSON.stringify(told))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const settings: OauthSettings = {
    mechanism: 'OAUTHBEARER',
    tokenEndpointUrl: url((server.address() as AddressInfo).port),
    clientId: 'me',
    clientSecret: new Secret('canary,=secret'),
    scope: 'kafka admin',
    urlEncodeHeader: false,
    extensions: {},
    connectTimeoutMs: null,
    readTimeoutMs: null,
    retryBackoffMs: 1,
    retryBackoffMaxMs: 2,
  }
  return { token: clientCredentialsTokens(settings), requests }
}

const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

it('asks as RFC 6749 says, and keeps the token while most of its life is left', async () => {
  const { token, requests } = await endpoint((count) => ({ body: { access_token: `t${count}`, expires_in: 60 } }))
  expect([(await token()).value, (await token()).value]).toEqual(['t1', 't1'])
  expect(requests).toEqual([
    {
      authorization: `Basic ${Buffer.from('me:canary,=secret').toString('base64')}`,
      body: 'grant_type=client_credentials&scope=kafka+admin',
    },
  ])
})

it.each([
  ['nothing tells how long it lives', 'opaque', undefined, 2],
  ['it lives no longer than a second', 'opaque', 1, 2],
  ['the answer does not tell, but the token does', jwt({ exp: 1060, iat: 1000 }), undefined, 1],
  ['the token tells nonsense', jwt({ exp: 'soon', iat: {} }), undefined, 2],
  ['the token tells no time of issue', jwt({ exp: 4_000_000_000 }), undefined, 2],
  ['a number that came as a text', 'opaque', '60', 1],
])('%s: asked for so often in two logins', async (_name, value, expires, times) => {
  const { token, requests } = await endpoint(() => ({ body: { access_token: value, expires_in: expires } }))
  await token()
  await token()
  expect(requests).toHaveLength(times)
})

it('many brokers that are connected to at once share one token; after a failure it is asked for anew', async () => {
  const { token, requests } = await endpoint((count) =>
    count === 1 ? { status: 401 } : { body: { access_token: 't', expires_in: 60 } },
  )
  const failed = await Promise.allSettled([token(), token()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await Promise.all(Array.from({ length: 20 }, () => token()))
  expect(requests).toHaveLength(2)
})

it('an endpoint that may recover is asked again, one that refuses is not', async () => {
  const ailing = await endpoint((count) =>
    count < 3 ? { status: 503 } : { body: { access_token: 't', expires_in: 60 } },
  )
  expect((await ailing.token()).value).toBe('t')
  expect(ailing.requests).toHaveLength(3)
  const refusing = await endpoint(() => ({ status: 401, body: { error_description: 'canary,=secret' } }))
  await expect(refusing.token()).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:\d+\/token answered 401 .*check sasl\.oauthbearer\.client\.credentials\.\* and sasl\.oauthbearer\.scope$/,
  )
  expect(refusing.requests).toHaveLength(1)
})

it('no word of a secret, wherever it stands: in the URL, or in what the endpoint says', async () => {
  const answers: Answer[] = [
    { status: 500, body: 'canary,=secret' },
    { body: 'canary,=secret' },
    { body: { access_token: '' } },
    { body: { access_token: { value: 'canary,=secret' } } },
  ]
  for (const answer of answers) {
    const { token } = await endpoint(
      () => answer,
      (port) => `http://canary-user:canary-password@127.0.0.1:${port}/token?key=canary-key`,
    )
    const failure = await token().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).toMatch(/sasl\.oauthbearer\.token\.endpoint\.url/)
    expect(String(failure)).not.toContain('canary')
  }
})
