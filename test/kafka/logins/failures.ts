import type { Settings } from '../harness/server-properties.js'
import { byPassword, byToken, overTls, pemIdentity, pemTrust, tls } from './client-settings.js'
import { PASSWORD, type SecuredCluster } from './secured-cluster.js'

export interface Failure {
  readonly name: string
  readonly listener: Parameters<SecuredCluster['port']>[0] | 'nobody'
  readonly settings: (cluster: SecuredCluster) => Settings
  readonly says: RegExp
}

/** What may be wrong, each with what the one line has to say of it. */
export const FAILURES: readonly Failure[] = [
  ...['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism): Failure[] => [
    {
      name: `${mechanism}, wrong password`,
      listener: 'sasl',
      settings: () => byPassword(mechanism, undefined, `${PASSWORD}!`),
      says: new RegExp(
        `the login with ${mechanism} was refused: .*; check sasl.jaas.config \\(user name and password\\)`,
      ),
    },
    {
      name: `${mechanism}, nobody's name`,
      listener: 'saslTls',
      settings: (c) => overTls(byPassword(mechanism, 'nobody'), c),
      says: new RegExp(`the login with ${mechanism} was refused: .*; check sasl.jaas.config`),
    },
  ]),
  {
    name: 'a mechanism that the listener does not offer',
    listener: 'short',
    settings: () => byPassword('PLAIN'),
    says: /this listener does not offer PLAIN: check sasl\.mechanism/,
  },
  {
    name: 'a token that the issuer refuses to give',
    listener: 'sasl',
    settings: (c) => byToken(c, { 'sasl.oauthbearer.client.credentials.client.secret': 'wrong-secret' }),
    says: /no token for the login: http:\/\/127\.0\.0\.1:\d+\/token answered 401 .*check sasl\.oauthbearer\.client\.credentials/,
  },
  {
    name: 'a token endpoint that is not there',
    listener: 'sasl',
    settings: (c) =>
      byToken(c, { 'sasl.oauthbearer.token.endpoint.url': c.issuer.tokenUrl.replace(/:\d+/, `:${c.unusedPort}`) }),
    says: /no token for the login: http:\/\/127\.0\.0\.1:\d+\/token.*(?:refused|ECONNREFUSED).*sasl\.oauthbearer\.token\.endpoint\.url/,
  },
  {
    name: 'a certificate of an authority that is not trusted',
    listener: 'tls',
    settings: (c) => tls(pemTrust(c, 'stranger-ca.pem')),
    says: /its certificate is not signed by a trusted authority: check ssl\.truststore/,
  },
  {
    name: 'a certificate of an authority that is not trusted, without a trust store',
    listener: 'tls',
    settings: () => tls({}),
    says: /its certificate is not signed by a trusted authority: check ssl\.truststore/,
  },
  {
    name: 'a certificate for another host',
    listener: 'elsewhere',
    settings: (c) => tls(pemTrust(c)),
    says: /its certificate is for another host name: .*ssl\.endpoint\.identification\.algorithm/,
  },
  {
    name: 'an expired certificate',
    listener: 'expired',
    settings: (c) => tls(pemTrust(c)),
    says: /its certificate has expired/,
  },
  {
    name: 'plain text to a TLS listener',
    listener: 'tls',
    settings: () => ({ 'client.id': 'somebody' }),
    says: /a TLS listener\? Check security\.protocol/,
  },
  {
    name: 'a login in plain text to a TLS listener',
    listener: 'saslTls',
    settings: () => byPassword('PLAIN'),
    says: /a TLS listener\? Check security\.protocol/,
  },
  {
    name: 'TLS to a plain text listener',
    listener: 'plain',
    settings: (c) => tls(pemTrust(c)),
    says: /(?:plain text\?|without TLS\?) Check security\.protocol/,
  },
  {
    name: 'a login with TLS to a listener that wants the login in plain text',
    listener: 'sasl',
    settings: (c) => overTls(byPassword('PLAIN'), c),
    says: /(?:plain text\?|without TLS\?) Check security\.protocol/,
  },
  {
    name: 'a login at a listener that wants none',
    listener: 'plain',
    settings: () => byPassword('PLAIN'),
    says: /wants no login: check security\.protocol/,
  },
  {
    name: 'no login at a listener that wants one',
    listener: 'sasl',
    settings: () => ({ 'client.id': 'somebody' }),
    says: /does this listener want TLS or a login\? Check security\.protocol/,
  },
  {
    name: 'no login over TLS at a listener that wants one',
    listener: 'saslTls',
    settings: (c) => tls(pemTrust(c)),
    says: /does it want a client certificate or a login\?/,
  },
  {
    name: 'mutual TLS without a certificate',
    listener: 'mutual',
    settings: (c) => tls(pemTrust(c)),
    says: /the broker wants a client certificate: set ssl\.keystore/,
  },
  {
    name: 'mutual TLS 1.2 without a certificate',
    listener: 'mutual',
    settings: (c) => tls({ ...pemTrust(c), 'ssl.enabled.protocols': 'TLSv1.2' }),
    says: /the broker wants a client certificate: set ssl\.keystore/,
  },
  {
    name: 'mutual TLS with a certificate that has expired',
    listener: 'mutual',
    settings: (c) => tls({ ...pemTrust(c), ...pemIdentity(c, 'own-expired.pem') }),
    says: /the broker did not accept the client certificate: check ssl\.keystore.* expired/,
  },
  {
    name: 'mutual TLS with a certificate of somebody that the broker does not trust',
    listener: 'mutual',
    settings: (c) => tls({ ...pemTrust(c), ...pemIdentity(c, 'stranger.pem') }),
    says: /the broker did not accept the client certificate: check ssl\.keystore/,
  },
  {
    name: 'a port where nobody listens',
    listener: 'nobody',
    settings: () => ({ 'client.id': 'somebody' }),
    says: /connection refused: no broker listens there/,
  },
]
