import { ErrorCode } from '../error-codes.js'
import { LoginRefusedError, TokenRequestError } from './login.js'
import type { TransportSettings } from './settings.js'
import { TransportError, type TransportFailure } from './transport-error.js'

/** OpenSSL and Node codes of a certificate that is not accepted, with what to do about it. */
const CERTIFICATE_CAUSES: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted: check ssl.truststore.*',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by the authority that it names: check ssl.truststore.*',
  CERT_HAS_EXPIRED: 'its certificate has expired: the broker needs a new one (or check the clocks)',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host name: connect by a name in the certificate, or see ssl.endpoint.identification.algorithm',
}

const NETWORK_CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: no broker listens there',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found (name server does not answer)',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
  ETIMEDOUT: 'no answer from the host',
  EACCES: 'not permitted by this machine',
}

/** Turns whatever ended an attempt to connect into one line that names the cause. Never carries the login. */
export function describeConnectFailure(
  error: unknown,
  closedReason: Error | null,
  where: string,
  settings: TransportSettings,
): TransportError {
  if (error instanceof TransportError && error.failure !== 'connection') {
    return error.failure === 'malformed' ? notKafka(where, settings) : error
  }
  const failed = (failure: TransportFailure, cause: string) => new TransportError(failure, `${where}: ${cause}`, false)
  const cause = error instanceof Error ? error : new Error(String(error))
  if (cause.constructor.name === 'DeadlineError') return new TransportError('timeout', cause.message, false)
  const code = codeOf(closedReason) ?? codeOf(cause)
  if (code !== null && code in CERTIFICATE_CAUSES) return failed('tls', CERTIFICATE_CAUSES[code] ?? code)
  if (code !== null && code in NETWORK_CAUSES) return failed('connection', NETWORK_CAUSES[code] ?? code)
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return failed('tls', tlsCause(`${code} ${closedReason?.message ?? cause.message}`, settings))
  }
  const refused = refusedLogin(cause, settings)
  if (refused !== null) return failed('authentication', refused)
  if (cause.name === 'FrameError' || closedReason?.name === 'FrameError') return notKafka(where, settings)
  if (
    code === 'ECONNRESET' &&
    settings.tls !== null &&
    /before secure TLS connection/.test(closedReason?.message ?? '')
  ) {
    return failed('tls', 'it closed the connection when TLS was begun: a listener without TLS? Check security.protocol')
  }
  if (closedReason !== null || code === 'ECONNRESET' || /clos/i.test(cause.message)) {
    return failed('connection', closedHint(settings))
  }
  return failed('connection', firstLine(cause.message))
}

function codeOf(error: Error | null): string | null {
  return error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/**
 * What an alert or a failed handshake means. Alerts come from the broker: it looks at the client's certificate after our side of the
 * handshake is over (TLS 1.3), so the first request meets them. `text`: OpenSSL's code and message.
 */
function tlsCause(text: string, { tls }: TransportSettings): string {
  if (/alert[_ ](?:number )?.*certificate|unknown[_ ]ca|access[_ ]denied|alert number (?:4[2-9]|116)/i.test(text)) {
    return tls?.cert === undefined
      ? 'the broker wants a client certificate: set ssl.keystore.*'
      : 'the broker did not accept the client certificate: check ssl.keystore.* (who signed it, whether it has expired)'
  }
  if (/wrong[_ ]version[_ ]number|packet[_ ]length|http[_ ]request/i.test(text)) {
    return 'it does not speak TLS: is this listener plain text? Check security.protocol'
  }
  if (/protocol[_ ]version|unsupported[_ ]protocol/i.test(text)) {
    return 'it speaks no version of TLS that is allowed here: check ssl.enabled.protocols'
  }
  if (/handshake[_ ]failure|no[_ ]shared[_ ]cipher|insufficient/i.test(text)) {
    return 'no agreement on how to encrypt, or it wants a client certificate: check ssl.cipher.suites, ssl.enabled.protocols and ssl.keystore.*'
  }
  return `TLS failed (${text.split(' ', 1)[0]}): check security.protocol and ssl.*`
}

/** kafkajs's own names of the two answers that are about the listener, not about who logs in. */
const LISTENER_CAUSES = new Map<number, (mechanism: string) => string>([
  [ErrorCode.UNSUPPORTED_SASL_MECHANISM, (mechanism: string) => `does not offer ${mechanism}: check sasl.mechanism`],
  [ErrorCode.ILLEGAL_SASL_STATE, () => 'wants no login: check security.protocol and the port'],
])

/** Null: it was not the login that failed. */
function refusedLogin(cause: Error, { sasl }: TransportSettings): string | null {
  if (sasl === null) return null
  if (cause instanceof TokenRequestError) return `no token for the login: ${firstLine(cause.message)}`
  const code = 'code' in cause && typeof cause.code === 'number' ? cause.code : null
  const listener = code === null ? undefined : LISTENER_CAUSES.get(code)
  if (listener !== undefined) return `this listener ${listener(sasl.mechanism)}`
  if (!(cause instanceof LoginRefusedError) && !/SASL|authenticat/i.test(cause.name + cause.message)) return null
  const words = firstLine(cause.message)
    // kafkajs's and Kafka's way to begin.
    .replace(/^SASL .{1,40}? authentication failed: /, '')
    .replace(/^Authentication failed(?:: | during authentication )/, '')
  const what = sasl.mechanism === 'OAUTHBEARER' ? 'sasl.oauthbearer.*' : 'sasl.jaas.config (user name and password)'
  return `the login with ${sasl.mechanism} was refused: ${words}; check ${what}`
}

function closedHint(settings: TransportSettings): string {
  if (settings.sasl !== null)
    return 'the broker closed the connection during the login: check sasl.* and security.protocol'
  return settings.tls === null
    ? 'the broker closed the connection: does this listener want TLS or a login? Check security.protocol'
    : 'the broker closed the connection: does it want a client certificate or a login? Check ssl.keystore.* and security.protocol'
}

function notKafka(where: string, settings: TransportSettings): TransportError {
  const hint = settings.tls === null ? ' (a TLS listener? Check security.protocol)' : ''
  return new TransportError(
    settings.tls === null ? 'tls' : 'malformed',
    `${where} does not answer as a Kafka broker does${hint}`,
    false,
  )
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
