import type { OauthSettings } from '../config/sasl-settings.js'
import type { BearerToken } from '../protocol/transport/settings.js'

/** A token is asked for anew when less than this share of its life is left (Kafka's ExpiringCredentialRefreshConfig: 0.8). */
const REFRESH_AT = 0.8
const MAX_ATTEMPTS = 4
const DEFAULT_TIMEOUT_MS = 10_000

/** The token endpoint gave no token. Never carries the client secret or the answer's body. */
export class TokenRequestError extends Error {
  override readonly name = 'SaslTokenRequestError'
}

interface KeptToken {
  readonly token: BearerToken
  /** performance.now() from which a new one is fetched. */
  readonly refreshAt: number
}

/**
 * Fetches tokens by client credentials (RFC 6749, 4.4), as Kafka's OAuthBearerLoginCallbackHandler does: a POST with the
 * credentials in the Authorization header, retried with a growing wait where the endpoint may recover.
 */
export function clientCredentialsTokens(settings: OauthSettings): () => Promise<BearerToken> {
  let kept: KeptToken | null = null
  return async () => {
    if (kept !== null && performance.now() < kept.refreshAt) return kept.token
    const { value, lifeMs } = await fetchToken(settings)
    const token = { value, extensions: settings.extensions }
    kept = { token, refreshAt: performance.now() + lifeMs * REFRESH_AT }
    return token
  }
}

interface FetchedToken {
  readonly value: string
  /** 0: not told, so it is not kept. */
  readonly lifeMs: number
}

async function fetchToken(settings: OauthSettings): Promise<FetchedToken> {
  let waitMs = settings.retryBackoffMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestToken(settings)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(error instanceof RetriableTokenError)) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      waitMs = Math.min(waitMs * 2, settings.retryBackoffMaxMs)
    }
  }
}

class RetriableTokenError extends TokenRequestError {}

async function requestToken(settings: OauthSettings): Promise<FetchedToken> {
  const { tokenEndpointUrl: url, scope } = settings
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === null ? {} : { scope }) })
  const timeoutMs = (settings.connectTimeoutMs ?? DEFAULT_TIMEOUT_MS) + (settings.readTimeoutMs ?? DEFAULT_TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials(settings)}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new RetriableTokenError(`${url}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (!response.ok) {
    const text = `${url} answered ${response.status} to the request for a token (sasl.oauthbearer.token.endpoint.url)`
    throw response.status >= 500 || response.status === 429
      ? new RetriableTokenError(text)
      : new TokenRequestError(text)
  }
  const body: unknown = await response.json().catch(() => null)
  const value = field(body, 'access_token')
  if (typeof value !== 'string' || value === '') throw new TokenRequestError(`${url} answered without an access_token`)
  const seconds = field(body, 'expires_in')
  return { value, lifeMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0 }
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && name in body ? (body as Record<string, unknown>)[name] : undefined
}

function credentials({ clientId, clientSecret, urlEncodeHeader }: OauthSettings): string {
  const encode = (text: string) => (urlEncodeHeader ? encodeURIComponent(text).replaceAll('%20', '+') : text)
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret.reveal())}`, 'utf8').toString('base64')
}
