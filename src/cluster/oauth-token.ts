import type { OauthSettings } from '../config/sasl-settings.js'
import { TokenRequestError } from '../protocol/transport/login.js'
import type { BearerToken } from '../protocol/transport/settings.js'
import { errorText } from '../text/error-text.js'

/** A token is asked for anew when less than this share of its life is left (Kafka's ExpiringCredentialRefreshConfig: 0.8). */
const REFRESH_AT = 0.8
/** Tokens end at a whole second (RFC 7519), so up to this much earlier. Else a login would be renewed with a token that is all but over. */
const CLAIM_ROUNDING_MS = 1_000
const MAX_ATTEMPTS = 4
const DEFAULT_TIMEOUT_MS = 10_000
const SETTING = 'sasl.oauthbearer.token.endpoint.url'

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
  let fetching: Promise<BearerToken> | null = null
  const fetchAndKeep = async () => {
    const { value, lifeMs } = await fetchToken(settings)
    const token = { value, extensions: settings.extensions }
    kept = { token, refreshAt: performance.now() + (lifeMs - CLAIM_ROUNDING_MS) * REFRESH_AT }
    return token
  }
  return async () => {
    if (kept !== null && performance.now() < kept.refreshAt) return kept.token
    // All brokers are connected to at once: they share what is being fetched.
    fetching ??= fetchAndKeep().finally(() => {
      fetching = null
    })
    return fetching
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
  const { scope } = settings
  const { url, shown } = endpointOf(settings)
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
    throw new RetriableTokenError(`${shown}: ${errorText(cause)} (${SETTING})`)
  }
  if (!response.ok) {
    const denied = response.status === 400 || response.status === 401 || response.status === 403
    const check = denied ? 'sasl.oauthbearer.client.credentials.* and sasl.oauthbearer.scope' : SETTING
    const text = `${shown} answered ${response.status} to the request for a token; check ${check}`
    throw response.status >= 500 || response.status === 429
      ? new RetriableTokenError(text)
      : new TokenRequestError(text)
  }
  const body: unknown = await response.json().catch(() => null)
  const value = field(body, 'access_token')
  if (typeof value !== 'string' || value === '') {
    throw new TokenRequestError(`${shown} answered without an access_token; check ${SETTING}`)
  }
  const seconds = Number(field(body, 'expires_in'))
  return { value, lifeMs: seconds > 0 && seconds < 2 ** 31 ? seconds * 1000 : claimedLifeMs(value) }
}

/** A URL may carry a login or a key: neither is shown, and fetch takes no login in it (nor does Java's client use it). */
function endpointOf({ tokenEndpointUrl }: OauthSettings): { readonly url: URL; readonly shown: string } {
  const url = new URL(tokenEndpointUrl)
  url.username = ''
  url.password = ''
  return { url, shown: `${url.origin}${url.pathname}` }
}

/**
 * Some issuers leave expires_in out; then the token itself tells (RFC 7519: exp and iat, in s), which is all that Kafka's own client
 * looks at. Their difference does not depend on this machine's clock. 0: not told.
 */
function claimedLifeMs(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const life = Number(field(claims, 'exp')) - Number(field(claims, 'iat'))
    return life > 0 && life < 2 ** 31 ? life * 1000 : 0
  } catch {
    return 0
  }
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && name in body ? (body as Record<string, unknown>)[name] : undefined
}

function credentials({ clientId, clientSecret, urlEncodeHeader }: OauthSettings): string {
  const encode = (text: string) => (urlEncodeHeader ? encodeURIComponent(text).replaceAll('%20', '+') : text)
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret.reveal())}`, 'utf8').toString('base64')
}
