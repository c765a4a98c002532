import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TlsSettings, tlsConnectionOptions } from '../../src/config/tls-settings.js'
import { connectionOf, problemsOf, STORES } from './command-configs.js'

const stored = (name: string) => readFileSync(join(STORES, name), 'utf8')
const trust = (name: string, password: string | null = 'store-secret', type = 'JKS') => [
  `ssl.truststore.location=${join(STORES, name)}`,
  `ssl.truststore.type=${type}`,
  ...(password === null ? [] : [`ssl.truststore.password=${password}`]),
]
const identity = (name: string, password: string | null, keyPassword: string | null, type = 'JKS') => [
  `ssl.keystore.location=${join(STORES, name)}`,
  `ssl.keystore.type=${type}`,
  ...(password === null ? [] : [`ssl.keystore.password=${password}`]),
  ...(keyPassword === null ? [] : [`ssl.key.password=${keyPassword}`]),
]

async function tlsOf(lines: readonly string[]): Promise<TlsSettings> {
  const { settings } = await connectionOf(['security.protocol=SSL', ...lines])
  if (settings.security.protocol !== 'SSL') throw new Error('not SSL')
  return settings.security.tls
}

const refused = (lines: readonly string[]) => problemsOf(connectionOf(['security.protocol=SSL', ...lines]))

/** What a server that wants a client certificate sees, over a real connection. */
async function handshake(tls: TlsSettings, servername: string): Promise<{ readonly clientName: string | undefined }> {
  const server = createServer({
    key: stored('server.key'),
    cert: stored('server.pem'),
    ca: stored('ca.pem'),
    requestCert: true,
    rejectUnauthorized: false,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const seen = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve))
  server.on('tlsClientError', () => {})
  const client = connect({ ...tlsConnectionOptions(tls), host: '127.0.0.1', port: address.port, servername })
  try {
    await new Promise<void>((resolve, reject) => client.once('secureConnect', resolve).once('error', reject))
    const socket = await seen
    return { clientName: socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined }
  } finally {
    client.destroy()
  }
}

describe('trust stores', () => {
  test.each([
    ['JKS', trust('trust.jks')],
    ['JKS without a password', trust('trust.jks', null)],
    ['JKS with a password beyond ASCII', trust('trust-umlaut.jks', 's\\u00e9cret\\u20ac')],
    ['PKCS12', trust('trust.p12', 'store-secret', 'PKCS12')],
    ['PKCS12 with the old algorithms (RC2)', trust('trust-legacy.p12', 'store-secret', 'PKCS12')],
    ['PKCS12 without a password', trust('trust-nopass.p12', null, 'PKCS12')],
    ['PKCS12 under the type JKS, as Java takes it', trust('trust.p12')],
    ['PEM', trust('ca.pem', null, 'PEM')],
    [
      'PEM inside the properties',
      ['ssl.truststore.type=PEM', `ssl.truststore.certificates=${stored('ca.pem').replaceAll('\n', ' ')}`],
    ],
  ])('%s: a broker whose certificate it signed is trusted', async (_name, lines) => {
    const tls = await tlsOf(lines)
    expect(tls.trustedCertificates?.map((pem) => pem.trim())).toEqual([stored('ca.pem').trim()])
    await expect(handshake(tls, 'broker.test')).resolves.toEqual({ clientName: undefined })
  })

  test('the first certificate of a key entry is trusted, too, as in Java', async () => {
    for (const lines of [trust('client.jks'), trust('client-openssl.p12')]) {
      expect((await tlsOf(lines)).trustedCertificates?.map((pem) => pem.trim())).toEqual([stored('client.pem').trim()])
    }
  })

  test.each([
    [
      'a missing file',
      trust('nowhere.jks'),
      /^client\.properties:2: ssl\.truststore\.location: .*nowhere\.jks does not exist$/,
    ],
    ['a directory', trust(''), /ssl\.truststore\.location: .* is a directory, not a file$/],
    [
      'a wrong password (JKS)',
      trust('trust.jks', 'geheim'),
      /^client\.properties:4: ssl\.truststore\.password: the password is wrong/,
    ],
    ['a wrong password (PKCS12)', trust('trust.p12', 'geheim'), /ssl\.truststore\.password: the password is wrong/],
    ['no password for PKCS12', trust('trust.p12', null), /ssl\.truststore\.password: is needed for this store$/],
    [
      'a store that openssl wrote: Java trusts nothing in it',
      trust('trust-openssl.p12'),
      /location: it holds no certificate that Java would trust/,
    ],
    ['a file that is no store', trust('ca.pem'), /location: it is neither a JKS nor a PKCS12 store/],
    ['PEM without a certificate', trust('client.key', null, 'PEM'), /location: it holds no PEM certificate/],
    ['PEM with a password', trust('ca.pem', 'geheim', 'PEM'), /ssl\.truststore\.password: cannot be set for PEM$/],
    [
      'another type',
      trust('trust.jks', 'geheim', 'BCFKS'),
      /ssl\.truststore\.type: BCFKS is not supported; supported: JKS, PKCS12, PEM/,
    ],
    [
      'a password without a store',
      ['ssl.truststore.password=geheim'],
      /ssl\.truststore\.password: is set, but ssl\.truststore\.location is not/,
    ],
    [
      'certificates without the type PEM',
      ['ssl.truststore.certificates=x'],
      /ssl\.truststore\.certificates: needs ssl\.truststore\.type=PEM/,
    ],
  ])('%s: one line that names the setting, never the password', async (_name, lines, problem) => {
    const problems = await refused(lines)
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(problems.join()).not.toContain('geheim')
  })

  test('a store that is cut anywhere is refused, never a crash', async () => {
    const { readJks } = await import('../../src/config/stores/jks.js')
    const { readPkcs12 } = await import('../../src/config/stores/pkcs12.js')
    const { StoreError } = await import('../../src/config/stores/store-error.js')
    const jks = readFileSync(join(STORES, 'client.jks'))
    const p12 = readFileSync(join(STORES, 'trust-nopass.p12'))
    for (let length = 0; length < jks.length; length += 37) {
      expect(() => readJks(jks.subarray(0, length), 'store-secret', 'key-secret')).toThrow(StoreError)
      expect(() => readJks(jks.subarray(0, length), null, null)).toThrow(StoreError)
    }
    for (let length = 0; length < p12.length; length += 37) {
      expect(() => readPkcs12(p12.subarray(0, length), '')).toThrow(StoreError)
    }
  })
})

describe('key stores', () => {
  const inline = (key: string) => [
    'ssl.keystore.type=PEM',
    `ssl.keystore.key=${stored(key).replaceAll('\n', ' ')}`,
    `ssl.keystore.certificate.chain=${stored('client.pem').replaceAll('\n', ' ')}`,
  ]

  test.each([
    ['JKS with a key password of its own', identity('client.jks', 'store-secret', 'key-secret'), 'client'],
    ['JKS with an EC key', identity('ec-client.jks', 'store-secret', null), 'ec-client'],
    ['PKCS12 by keytool', identity('client.p12', 'store-secret', null, 'PKCS12'), 'client'],
    ['PKCS12 by openssl', identity('client-openssl.p12', 'store-secret', 'store-secret', 'PKCS12'), 'client'],
    [
      'PKCS12 with the old algorithms (RC2, 3DES)',
      identity('client-legacy.p12', 'store-secret', null, 'PKCS12'),
      'client',
    ],
    ['PKCS12 with an EC key', identity('ec-client.p12', 'store-secret', null, 'PKCS12'), 'ec-client'],
    ['PEM with an encrypted key', identity('client-bundle.pem', null, 'key-secret', 'PEM'), 'client'],
    ['PEM inside the properties', inline('client.key'), 'client'],
    [
      'PEM inside the properties, encrypted',
      [...inline('client-encrypted.key'), 'ssl.key.password=key-secret'],
      'client',
    ],
    ['PEM in the older form (PKCS#1)', inline('client-pkcs1.key'), 'client'],
  ])('%s: the broker sees who we are', async (_name, lines, name) => {
    const tls = await tlsOf([...trust('trust.jks'), ...lines])
    expect(JSON.stringify(tls)).not.toContain('PRIVATE KEY')
    await expect(handshake(tls, 'broker.test')).resolves.toEqual({ clientName: name })
  })

  test.each([
    [
      'no password',
      identity('client.p12', null, null),
      /ssl\.keystore\.password: is needed with ssl\.keystore\.location$/,
    ],
    ['a wrong password', identity('client.p12', 'geheim', null), /ssl\.keystore\.password: the password is wrong/],
    [
      'a wrong key password (JKS)',
      identity('client.jks', 'store-secret', 'geheim'),
      /ssl\.key\.password: the password of the key is wrong/,
    ],
    [
      'a key password that PKCS12 cannot have',
      identity('client.p12', 'store-secret', 'geheim'),
      /ssl\.key\.password: differs from/,
    ],
    [
      'a missing key password (PEM)',
      identity('client-bundle.pem', null, null, 'PEM'),
      /ssl\.key\.password: the key is encrypted/,
    ],
    [
      'a wrong key password (PEM)',
      identity('client-bundle.pem', null, 'geheim', 'PEM'),
      /ssl\.key\.password: the password is wrong/,
    ],
    [
      'two keys',
      identity('two-keys.p12', 'store-secret', null),
      /ssl\.keystore\.location: it holds 2 private keys, one is supported/,
    ],
    [
      'a key without its chain',
      inline('client.key').slice(0, 2),
      /ssl\.keystore\.certificate\.chain: is needed with ssl\.keystore\.key/,
    ],
    [
      'a key of another certificate',
      inline('server.key'),
      /ssl\.keystore\.key: the private key does not belong to the first cert/,
    ],
  ])('%s: one line that names the setting, never the secret', async (_name, lines, problem) => {
    const problems = await refused(lines)
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(problems.join()).not.toContain('geheim')
  })

  test('a store without a key is no proof of who we are: warned, as Kafka goes on', async () => {
    const { warnings } = await connectionOf(['security.protocol=SSL', ...identity('trust.p12', 'store-secret', null)])
    expect(warnings).toEqual([expect.stringContaining('ssl.keystore.location: holds no private key')])
  })
})

describe('TLS', () => {
  test('host names are checked, unless the algorithm is empty; signatures always', async () => {
    const checked = await tlsOf(trust('trust.jks'))
    await expect(handshake(checked, 'elsewhere.test')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    const unchecked = await tlsOf([...trust('trust.jks'), 'ssl.endpoint.identification.algorithm='])
    await expect(handshake(unchecked, 'elsewhere.test')).resolves.toBeDefined()
    const stranger = await tlsOf(['ssl.endpoint.identification.algorithm='])
    await expect(handshake(stranger, 'elsewhere.test')).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|SIGNATURE|ISSUER/),
    })
    const { warnings } = await connectionOf(['security.protocol=SSL', 'ssl.endpoint.identification.algorithm='])
    expect(warnings).toEqual([
      expect.stringMatching(/:2: ssl\.endpoint\.identification\.algorithm: is empty: host names/),
    ])
  })

  test.each([
    [[], 'TLSv1.2', 'TLSv1.3'],
    [['ssl.enabled.protocols=TLSv1.3'], 'TLSv1.3', 'TLSv1.3'],
    [['ssl.enabled.protocols=TLSv1.1, TLSv1.2'], 'TLSv1.2', 'TLSv1.2'],
    // Measured: the engine is told the enabled protocols, whatever ssl.protocol says.
    [['ssl.protocol=TLSv1.2'], 'TLSv1.2', 'TLSv1.3'],
    [['ssl.protocol=TLSv1.2', 'ssl.enabled.protocols='], 'TLSv1.2', 'TLSv1.2'],
  ])('versions of %j', async (lines, minVersion, maxVersion) => {
    expect(await tlsOf(lines)).toMatchObject({ minVersion, maxVersion })
  })

  test.each([
    ['ssl.enabled.protocols=TLSv1', 'names no version that is supported'],
    ['ssl.protocol=SSLv3', 'SSLv3 is not supported'],
    ['ssl.cipher.suites=TLS_AES_128_GCM_SHA256,TLS_NOPE', 'not offered by this Node: TLS_NOPE'],
    ['ssl.endpoint.identification.algorithm=LDAPS', 'LDAPS is not supported'],
  ])('%s is refused', async (line, text) => {
    expect(await refused([line])).toEqual([
      expect.stringContaining(`client.properties:2: ${line.split('=')[0]}: ${text}`),
    ])
  })

  test('cipher suites by their Java names', async () => {
    const { ciphers } = await tlsOf(['ssl.cipher.suites=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256'])
    expect(ciphers).toBe('ECDHE-RSA-AES256-GCM-SHA384:TLS_AES_128_GCM_SHA256')
  })
})
