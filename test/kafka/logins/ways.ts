import { readFileSync } from 'node:fs'
import type { Settings } from '../harness/server-properties.js'
import { byPassword, byToken, overTls, pemIdentity, pemTrust, store, tls } from './client-settings.js'
import { KEY_PASSWORD, PASSWORD, passwordJaas, type SecuredCluster, USER } from './secured-cluster.js'

export interface Way {
  readonly name: string
  readonly listener: Parameters<SecuredCluster['port']>[0]
  readonly settings: (cluster: SecuredCluster) => Settings
  /** Default: 127.0.0.1. */
  readonly host?: string
}

/** Every login that is supported, each on the listener that wants it. */
export const WAYS: readonly Way[] = [
  { name: 'PLAINTEXT', listener: 'plain', settings: () => ({ 'client.id': 'somebody' }) },
  { name: 'SSL, PEM', listener: 'tls', settings: (c) => tls(pemTrust(c)) },
  { name: 'SSL, PEM, by name', listener: 'tls', settings: (c) => tls(pemTrust(c)), host: 'localhost' },
  { name: 'SSL, JKS', listener: 'tls', settings: ({ path }) => tls(store('truststore', path('ca.jks'), 'JKS')) },
  { name: 'SSL, PKCS12', listener: 'tls', settings: ({ path }) => tls(store('truststore', path('ca.p12'), 'PKCS12')) },
  {
    name: 'SSL, another host name, not checked',
    listener: 'elsewhere',
    settings: (c) => tls({ ...pemTrust(c), 'ssl.endpoint.identification.algorithm': '' }),
  },
  {
    name: 'mutual TLS, PEM',
    listener: 'mutual',
    settings: (c) => tls({ ...pemTrust(c), ...pemIdentity(c, 'own.pem') }),
  },
  {
    name: 'mutual TLS, PEM, encrypted key',
    listener: 'mutual',
    settings: (c) => tls({ ...pemTrust(c), ...pemIdentity(c, 'own-encrypted.pem'), 'ssl.key.password': KEY_PASSWORD }),
  },
  {
    name: 'mutual TLS, JKS, the key with a password of its own',
    listener: 'mutual',
    settings: ({ path }) =>
      tls({
        ...store('truststore', path('ca.jks'), 'JKS'),
        ...store('keystore', path('own.jks'), 'JKS'),
        'ssl.key.password': KEY_PASSWORD,
      }),
  },
  {
    name: 'mutual TLS, PKCS12',
    listener: 'mutual',
    settings: ({ path }) =>
      tls({ ...store('truststore', path('ca.p12'), 'PKCS12'), ...store('keystore', path('own.p12'), 'PKCS12') }),
  },
  {
    name: 'mutual TLS, PEM inside the properties',
    listener: 'mutual',
    settings: ({ path }) =>
      tls({
        'ssl.truststore.type': 'PEM',
        'ssl.truststore.certificates': readFileSync(path('ca.pem'), 'utf8'),
        'ssl.keystore.type': 'PEM',
        'ssl.keystore.certificate.chain': readFileSync(path('own-certificate.pem'), 'utf8'),
        'ssl.keystore.key': readFileSync(path('own-key.pem'), 'utf8'),
      }),
  },
  {
    name: 'mutual TLS 1.2 with one cipher suite',
    listener: 'mutual',
    settings: (c) =>
      tls({
        ...pemTrust(c),
        ...pemIdentity(c, 'own.pem'),
        'ssl.enabled.protocols': 'TLSv1.2',
        'ssl.cipher.suites': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
      }),
  },
  {
    name: 'SASL_PLAINTEXT, SCRAM-SHA-256, the login in a file of a config provider',
    listener: 'sasl',
    settings: (c) => ({
      ...byPassword('SCRAM-SHA-256'),
      'config.providers': 'own',
      'config.providers.own.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
      'sasl.jaas.config': `\${own:${c.clientFile({ login: passwordJaas('SCRAM-SHA-256', USER, PASSWORD) })}:login}`,
    }),
  },
  ...['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism): Way[] => [
    { name: `SASL_PLAINTEXT, ${mechanism}`, listener: 'sasl', settings: () => byPassword(mechanism) },
    { name: `SASL_SSL, ${mechanism}`, listener: 'saslTls', settings: (c) => overTls(byPassword(mechanism), c) },
  ]),
  { name: 'SASL_PLAINTEXT, OAUTHBEARER', listener: 'sasl', settings: byToken },
  { name: 'SASL_SSL, OAUTHBEARER', listener: 'saslTls', settings: (c) => overTls(byToken(c), c) },
]
