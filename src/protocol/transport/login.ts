import KafkaJsEncoder from 'kafkajs/src/protocol/encoder.js'
import type { BearerToken, SaslLogin } from './settings.js'

/** The broker refused the login, in words of its own. */
export class LoginRefusedError extends Error {
  override readonly name = 'LoginRefusedError'
}

/** The token endpoint gave no token. Never carries the client secret or the answer's body. */
export class TokenRequestError extends Error {
  override readonly name: string = 'TokenRequestError'
}

/** One message of a login and the broker's answer to it, as kafkajs lets a login of somebody else's making send them. */
type SaslAuthenticate = (message: {
  readonly request: { readonly encode: () => Promise<Buffer> }
  readonly response: {
    readonly decode: (answer: Buffer) => Promise<Buffer>
    readonly parse: (decoded: Buffer) => Promise<Buffer>
  }
}) => Promise<Buffer>

/** The login as kafkajs takes it. */
export function kafkaJsLogin(login: SaslLogin): object {
  if (login.mechanism === 'OAUTHBEARER') {
    return {
      mechanism: 'oauthbearer',
      authenticationProvider: ({ saslAuthenticate }: { readonly saslAuthenticate: SaslAuthenticate }) => ({
        authenticate: () => bearerLogin(saslAuthenticate, login.token),
      }),
    }
  }
  return { mechanism: login.mechanism.toLowerCase(), username: login.username, password: login.password }
}

/**
 * OAUTHBEARER. Not kafkajs's own: a broker does not refuse a token with an error, but with a challenge that tells why (RFC 7628,
 * 3.2.3; OAuthBearerSaslServer), which kafkajs takes for a success; the next request then breaks the connection. The answer to a
 * challenge is one byte, 0x01, and only then the broker says that the login failed.
 */
async function bearerLogin(authenticate: SaslAuthenticate, token: () => Promise<BearerToken>): Promise<void> {
  const challenge = await authenticate({ request: message(initialResponse(await token())), response: BYTES })
  if (challenge.length === 0) return
  try {
    await authenticate({ request: message(Buffer.of(1)), response: BYTES })
  } catch {
    // That it failed is known, and the challenge says more.
  }
  throw new LoginRefusedError(`the token was refused${statusIn(challenge)}`)
}

/** OAuthBearerClientInitialResponse of 4.4.0: no authorization id, the token, then the extensions (KIP-342). */
function initialResponse({ value, extensions }: BearerToken): Buffer {
  const more = Object.entries(extensions).map(([name, text]) => `\u0001${name}=${text}`)
  return Buffer.from(`n,,\u0001auth=Bearer ${value}${more.join('')}\u0001\u0001`, 'utf8')
}

/** `invalid_token`, as the challenge (JSON) has it; only what looks like a code is repeated. */
function statusIn(challenge: Buffer): string {
  const status = /"status"\s*:\s*"([a-z_]{1,40})"/.exec(challenge.toString('utf8'))?.[1]
  return status === undefined ? '' : ` (${status})`
}

function message(bytes: Buffer) {
  return { encode: async () => new KafkaJsEncoder(bytes.length + 4).writeBytes(bytes).buffer }
}

/** kafkajs hands an answer on with its length (4 bytes; -1: none) in front. */
const BYTES = {
  decode: async (answer: Buffer) => answer.subarray(4),
  parse: async (decoded: Buffer) => decoded,
}
