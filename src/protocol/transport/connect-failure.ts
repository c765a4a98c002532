import type { TransportSettings } from './settings.js'
import { TransportError } from './transport-error.js'

/** OpenSSL and Node codes of a certificate that is not accepted, with what to do about it. */
const CERTIFICATE_CAUSES: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted: check ssl.truststore.*',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a trusted authority: check ssl.truststore.*',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host name: connect by a name in the certificate, or see ssl.endpoint.identification.algorithm',
}

const NETWORK_CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: no broker listens there',
  ECONNRESET: 'the connection was reset',
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
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  if (code !== null && code in CERTIFICATE_CAUSES) {
    return new TransportError('tls', `${where}: ${CERTIFICATE_CAUSES[code]}`, false)
  }
  if (code !== null && code in NETWORK_CAUSES) {
    return new TransportError('connection', `${where}: ${NETWORK_CAUSES[code]}`, false)
  }
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return new TransportError(
      'tls',
      `${where}: TLS failed (${code}); is this listener plain text? Check security.protocol`,
      false,
    )
  }
  if (/SASL|authenticat/i.test(cause.name + cause.message)) {
    const login = settings.sasl === null ? '' : ` as configured (${settings.sasl.mechanism})`
    return new TransportError(
      'authentication',
      `${where}: login${login} was refused: ${firstLine(cause.message)}`,
      false,
    )
  }
  if (cause.constructor.name === 'DeadlineError') return new TransportError('timeout', cause.message, false)
  if (cause.name === 'FrameError' || closedReason?.name === 'FrameError') return notKafka(where, settings)
  if (closedReason !== null || /clos/i.test(cause.message)) {
    return new TransportError('connection', `${where}: ${closedHint(settings)}`, false)
  }
  return new TransportError('connection', `${where}: ${firstLine(cause.message)}`, false)
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
