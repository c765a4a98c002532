import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import { freePorts } from '../harness/free-ports.js'
import { askAsAdmin } from '../harness/kafka-admin.js'
import { properties, type Settings } from '../harness/server-properties.js'
import { type Certified, certified, keyPem, keyStore, trustStore } from './certificates.js'
import { type TokenIssuer, tokenIssuer } from './token-issuer.js'

/**
 * tls, mutual (wants a client certificate), elsewhere (its certificate is for another host), expired (is over), sasl and saslTls
 * (all mechanisms), short (all but PLAIN; a login lasts three seconds).
 */
const LISTENERS = ['tls', 'mutual', 'elsewhere', 'expired', 'sasl', 'saslTls', 'short'] as const
type Listener = (typeof LISTENERS)[number]

const PROTOCOLS: Readonly<Record<Listener, string>> = {
  tls: 'SSL',
  mutual: 'SSL',
  elsewhere: 'SSL',
  expired: 'SSL',
  sasl: 'SASL_PLAINTEXT',
  saslTls: 'SASL_SSL',
  short: 'SASL_PLAINTEXT',
}
const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER']
/** The listener `short` offers no other. */
const SHORT_MECHANISMS = MECHANISMS.slice(1)
const LOGIN_MODULES = 'org.apache.kafka.common.security'
/** How long a login lasts on the listener `short`. ms */
export const SHORT_LOGIN_MS = 3_000

/** Every character that JAAS, SCRAM, properties files or Unicode's normal forms might trip over. */
export const PASSWORD = 'a,b=c"d\\e;f \u00e4\u00df\u20ac\u{1f511}\u00aa\u00a0g'
/** Brokers take no letters beyond ASCII in the user names of SCRAM (ScramMessages of 4.4.0; Kafka's own client fails as well). */
export const USER = 'o,p=r"\\'
/** Of PLAIN, whose users are names of options in the broker's JAAS text. */
export const PLAIN_USER = 'operator'
export const OAUTH_CLIENT = { id: 'recovery-client', secret: 'client,=secret' }
export const STORE_PASSWORD = 'store-secret'
export const KEY_PASSWORD = 'key-secret'

/** Names in the certificate of the listener `elsewhere`. */
export const ELSEWHERE = { name: 'broker.elsewhere.test', ip: '10.9.8.7' }

export interface SecuredCluster {
  readonly kafka: TestCluster
  readonly issuer: TokenIssuer
  readonly systemProperties: Settings
  /** Where certificates, stores and client properties are. */
  readonly path: (file: string) => string
  /** `plain` is the one without TLS and login. */
  readonly port: (listener: Listener | 'plain') => number
  /** Nobody listens there. */
  readonly unusedPort: number
  /** Writes client properties, as Kafka's own tools read them. Gives the path. */
  clientFile(settings: Settings): string
  dispose(): Promise<void>
}

/** One broker with a listener for each way to log in. */
export async function startSecuredCluster(): Promise<SecuredCluster> {
  const [unusedPort = 0, ...ports] = await freePorts(LISTENERS.length + 1)
  const portOf = new Map<string, number>(LISTENERS.map((name, index) => [name, ports[index] ?? 0]))
  const issuer = await tokenIssuer(OAUTH_CLIENT.id, OAUTH_CLIENT.secret)
  const systemProperties = {
    'org.apache.kafka.sasl.oauthbearer.allowed.urls': `${issuer.tokenUrl},${issuer.jwksUrl}`,
  }
  const certificates = makeCertificates()
  let kafka: TestCluster | null = null
  try {
    kafka = await startCluster({
      version: '4.4.0',
      brokers: 1,
      logDirsPerBroker: 1,
      systemProperties,
      brokerConfig: ({ port }) => brokerConfig(port, portOf, certificates, issuer),
    })
    const { folder, bootstrapServers } = kafka
    await writeClientStores(folder, certificates)
    const scram = (['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const).map(
      (mechanism) => ({ kind: 'scram', mechanism, user: USER, password: PASSWORD }) as const,
    )
    const made = await askAsAdmin('4.4.0', bootstrapServers, scram)
    if (made.some((answer) => answer !== 'ok')) throw new Error(`SCRAM users could not be made: ${made.join()}`)
    const cluster = kafka
    let files = 0
    return {
      kafka: cluster,
      issuer,
      systemProperties,
      unusedPort,
      path: (file) => join(folder, file),
      port: (listener) => (listener === 'plain' ? cluster.broker(1).port : (portOf.get(listener) ?? 0)),
      clientFile(settings) {
        files += 1
        const file = join(folder, `client-${files}.properties`)
        writeFileSync(file, properties(settings))
        return file
      },
      async dispose() {
        await cluster.dispose()
        await issuer.close()
      },
    }
  } catch (error) {
    await kafka?.dispose()
    await issuer.close()
    throw error
  }
}

/** The value of a JAAS option. */
export function jaasQuoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

export function passwordJaas(mechanism: string, user: string, password: string): string {
  const module = mechanism === 'PLAIN' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule'
  return `${LOGIN_MODULES}.${module} required username=${jaasQuoted(user)} password=${jaasQuoted(password)};`
}

type Certificates = ReturnType<typeof makeCertificates>

function makeCertificates() {
  const authority = certified({ name: 'Test authority', issuer: null })
  const stranger = certified({ name: 'Another authority', issuer: null })
  const here = [{ dns: 'localhost' }, { ip: '127.0.0.1' }] as const
  return {
    authority,
    stranger,
    broker: certified({ name: 'broker', issuer: authority, hosts: here }),
    elsewhere: certified({
      name: 'elsewhere',
      issuer: authority,
      hosts: [{ dns: ELSEWHERE.name }, { ip: ELSEWHERE.ip }],
    }),
    expired: certified({ name: 'expired', issuer: authority, hosts: here, expired: true }),
    client: certified({ name: 'operator', issuer: authority }),
    expiredClient: certified({ name: 'operator', issuer: authority, expired: true }),
    strangersClient: certified({ name: 'stranger', issuer: stranger }),
  }
}

function brokerConfig(
  plainPort: number,
  ports: ReadonlyMap<string, number>,
  certificates: Certificates,
  issuer: TokenIssuer,
): Settings {
  const addresses = [
    `PLAINTEXT://127.0.0.1:${plainPort}`,
    ...LISTENERS.map((name) => `${name.toUpperCase()}://127.0.0.1:${ports.get(name)}`),
  ].join(',')
  const keyed = (listener: Listener, { certificate }: Certified, key: string): Settings => ({
    [`listener.name.${listener.toLowerCase()}.ssl.keystore.type`]: 'PEM',
    [`listener.name.${listener.toLowerCase()}.ssl.keystore.certificate.chain`]: certificate,
    [`listener.name.${listener.toLowerCase()}.ssl.keystore.key`]: key,
  })
  return {
    listeners: addresses,
    'advertised.listeners': addresses,
    'listener.security.protocol.map': [
      'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      ...LISTENERS.map((name) => `${name.toUpperCase()}:${PROTOCOLS[name]}`),
    ].join(','),
    'inter.broker.listener.name': 'PLAINTEXT',
    ...keyed('tls', certificates.broker, keyPem(certificates.broker)),
    ...keyed('saslTls', certificates.broker, keyPem(certificates.broker)),
    ...keyed('mutual', certificates.broker, keyPem(certificates.broker)),
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.mutual.ssl.truststore.type': 'PEM',
    'listener.name.mutual.ssl.truststore.certificates': certificates.authority.certificate,
    ...keyed('elsewhere', certificates.elsewhere, keyPem(certificates.elsewhere)),
    ...keyed('expired', certificates.expired, keyPem(certificates.expired)),
    ...saslConfig('sasl'),
    ...saslConfig('saslTls'),
    ...saslConfig('short', SHORT_MECHANISMS),
    ...Object.fromEntries(
      MECHANISMS.map((mechanism) => [
        `listener.name.short.${mechanism.toLowerCase()}.connections.max.reauth.ms`,
        String(SHORT_LOGIN_MS),
      ]),
    ),
    'sasl.oauthbearer.jwks.endpoint.url': issuer.jwksUrl,
    'sasl.oauthbearer.expected.audience': issuer.audience,
    'sasl.oauthbearer.expected.issuer': issuer.name,
  }
}

function saslConfig(listener: Listener, mechanisms = MECHANISMS): Settings {
  const of = (mechanism: string) => `listener.name.${listener.toLowerCase()}.${mechanism.toLowerCase()}`
  return {
    [`listener.name.${listener.toLowerCase()}.sasl.enabled.mechanisms`]: mechanisms.join(','),
    [`${of('PLAIN')}.sasl.jaas.config`]: `${LOGIN_MODULES}.plain.PlainLoginModule required user_${PLAIN_USER}=${jaasQuoted(PASSWORD)};`,
    [`${of('SCRAM-SHA-256')}.sasl.jaas.config`]: `${LOGIN_MODULES}.scram.ScramLoginModule required;`,
    [`${of('SCRAM-SHA-512')}.sasl.jaas.config`]: `${LOGIN_MODULES}.scram.ScramLoginModule required;`,
    [`${of('OAUTHBEARER')}.sasl.jaas.config`]: `${LOGIN_MODULES}.oauthbearer.OAuthBearerLoginModule required;`,
    [`${of('OAUTHBEARER')}.sasl.server.callback.handler.class`]: `${LOGIN_MODULES}.oauthbearer.OAuthBearerValidatorCallbackHandler`,
  }
}

/** What clients have: ca.*, own.* (signed by the brokers' authority), stranger.* (by another one). */
async function writeClientStores(folder: string, certificates: Certificates): Promise<void> {
  const { authority, stranger, client, expiredClient, strangersClient } = certificates
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('ca.pem', authority.certificate)
  write('stranger-ca.pem', stranger.certificate)
  write('own.pem', `${keyPem(client)}${client.certificate}`)
  write('own-encrypted.pem', `${keyPem(client, KEY_PASSWORD)}${client.certificate}`)
  write('own-key.pem', keyPem(client))
  write('own-certificate.pem', client.certificate)
  write('own-expired.pem', `${keyPem(expiredClient)}${expiredClient.certificate}`)
  write('stranger.pem', `${keyPem(strangersClient)}${strangersClient.certificate}`)
  await Promise.all([
    trustStore(folder, 'ca.jks', 'JKS', authority, STORE_PASSWORD),
    trustStore(folder, 'ca.p12', 'PKCS12', authority, STORE_PASSWORD),
    keyStore(folder, 'own.jks', 'JKS', client, { store: STORE_PASSWORD, key: KEY_PASSWORD }),
    keyStore(folder, 'own.p12', 'PKCS12', client, { store: STORE_PASSWORD }),
  ])
}
