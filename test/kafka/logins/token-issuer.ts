import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const KEY_ID = 'test-key'

export interface TokenIssuer {
  readonly tokenUrl: string
  readonly jwksUrl: string
  readonly name: string
  readonly audience: string
  /** How long the tokens last that are issued from now on. s */
  lifeSeconds: number
  /** Answers with this status instead of a token; null: does not. */
  refuseWith: number | null
  /** Tokens name another audience than the broker wants. */
  wrongAudience: boolean
  /** Tokens issued so far. */
  readonly issued: () => number
  close(): Promise<void>
}

/** An OAuth server on loopback that gives signed tokens to one client, and shows its keys to brokers. */
export async function tokenIssuer(clientId: string, clientSecret: string): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let issued = 0
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/jwks') {
      answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] })
      return
    }
    const login = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')
    if (issuer.refuseWith !== null) answer(issuer.refuseWith, { error: 'server_error' })
    else if (request.headers.authorization !== `Basic ${login}`) answer(401, { error: 'invalid_client' })
    else {
      issued += 1
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer.name,
        sub: clientId,
        aud: issuer.wrongAudience ? 'somebody-else' : issuer.audience,
        iat: now,
        exp: now + issuer.lifeSeconds,
        jti: String(issued),
      }
      const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${encoded(claims)}`
      const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')
      answer(200, { access_token: `${signed}.${signature}`, token_type: 'Bearer', expires_in: issuer.lifeSeconds })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer: TokenIssuer = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    jwksUrl: `http://127.0.0.1:${port}/jwks`,
    name: 'https://issuer.test',
    audience: 'kafka',
    lifeSeconds: 600,
    refuseWith: null,
    wrongAudience: false,
    issued: () => issued,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return issuer
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
