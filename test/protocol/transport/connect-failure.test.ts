import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeConnectFailure } from '../../../src/protocol/transport/connect-failure.js'
import type { TransportSettings } from '../../../src/protocol/transport/settings.js'

// Codes as OpenSSL 3.0 (Node 20) and 3.2 and later (Node 24) name them; that real brokers cause them is proved in test/kafka/logins.

const plain: TransportSettings = { clientId: 'test', tls: null, sasl: null, readOnly: false }
const overTls: TransportSettings = { ...plain, tls: {} }
const mutual: TransportSettings = { ...plain, tls: { cert: 'PEM' } }
const login: TransportSettings = {
  ...overTls,
  sasl: { mechanism: 'PLAIN', username: 'somebody', password: 'canary-password' },
}

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })
const described = (error: Error, settings: TransportSettings) =>
  describeConnectFailure(error, error, 'host:1', settings).message

describe('the cause by its code', () => {
  it.each([
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', overTls, /wants a client certificate: set ssl\.keystore/],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', overTls, /wants a client certificate: set ssl\.keystore/],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', overTls, /wants a client certificate: set ssl\.keystore/],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', mutual, /did not accept the client certificate: check ssl\.keystore/],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', mutual, /did not accept the client certificate/],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', mutual, /did not accept the client certificate.*expired/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', mutual, /did not accept the client certificate.*who signed it/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', overTls, /is this listener plain text\? Check security\.protocol/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', overTls, /is this listener plain text\? Check security\.protocol/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', overTls, /no version of TLS .*ssl\.enabled\.protocols/],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', overTls, /no version of TLS .*ssl\.enabled\.protocols/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', overTls, /ssl\.cipher\.suites/],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', overTls, /ssl\.cipher\.suites/],
    ['ERR_SSL_NO_CIPHERS_AVAILABLE', overTls, /TLS failed \(ERR_SSL_NO_CIPHERS_AVAILABLE\)/],
    ['CERT_HAS_EXPIRED', overTls, /its certificate has expired/],
    ['CERT_NOT_YET_VALID', overTls, /not valid yet: check the clocks/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', overTls, /for another host name/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', overTls, /not signed by a trusted authority: check ssl\.truststore/],
    ['ECONNREFUSED', plain, /no broker listens there/],
    ['ECONNRESET', plain, /does this listener want TLS or a login\?/],
  ])('%s', (code, settings, says) => {
    expect(described(coded(code), settings)).toMatch(says)
  })

  it('a reset while TLS was begun is that of a listener without TLS', () => {
    const reset = coded('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established')
    expect(described(reset, login)).toMatch(/a listener without TLS\? Check security\.protocol/)
    expect(described(coded('ECONNRESET'), login)).toMatch(/closed the connection during the login/)
  })
})

it('whatever it was: one line that begins with the address, nothing sent, no password', () => {
  const errors = fc.record({
    name: fc.constantFrom('Error', 'KafkaJSSASLAuthenticationError', 'KafkaJSProtocolError', 'FrameError'),
    message: fc.string({ unit: 'binary' }),
    code: fc.option(fc.oneof(fc.string(), fc.integer({ min: -1, max: 120 })), { nil: undefined }),
  })
  fc.assert(
    fc.property(errors, fc.constantFrom(plain, overTls, mutual, login), ({ name, message, code }, settings) => {
      const error = Object.assign(new Error(message), { name }, code === undefined ? {} : { code })
      const failure = describeConnectFailure(error, null, 'host:1', settings)
      expect(failure.sent).toBe(false)
      expect(failure.message.startsWith('host:1')).toBe(true)
      expect(failure.message).not.toContain('\n')
      expect(failure.message).not.toContain('canary-password')
    }),
    { numRuns: 300 },
  )
})
