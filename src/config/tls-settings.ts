import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { opensslCipherSuite } from './cipher-suites.js'
import type { ClientProperties } from './client-properties.js'
import { fileFailure } from './config-error.js'
import { printable } from './printable.js'
import { Secret } from './secret.js'
import { certificatePem, pemCertificates, pemPrivateKey } from './stores/pem.js'
import { type StoreContent, StoreError } from './stores/store-error.js'

export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** TLS as the properties ask for it; stores are read and decrypted. */
export interface TlsSettings {
  /** PEM, one certificate each. Null: no trust store is configured, Node's own list of authorities counts. */
  readonly trustedCertificates: readonly string[] | null
  /** What the client proves itself with. Null: nothing. */
  readonly identity: { readonly certificateChain: string; readonly privateKey: Secret } | null
  /** False: any name in the broker's certificate will do; it must still be signed by somebody trusted. */
  readonly checkHostName: boolean
  readonly minVersion: TlsVersion
  readonly maxVersion: TlsVersion
  /** OpenSSL's cipher list. Null: Node's default. */
  readonly ciphers: string | null
}

/** Options for tls.connect, without host, port and server name. */
export function tlsConnectionOptions(tls: TlsSettings): ConnectionOptions {
  return {
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    rejectUnauthorized: true,
    // Java trusts whatever stands in the trust store, also a certificate that somebody else signed.
    ...(tls.trustedCertificates === null ? {} : { ca: [...tls.trustedCertificates], allowPartialTrustChain: true }),
    ...(tls.identity === null ? {} : { cert: tls.identity.certificateChain, key: tls.identity.privateKey.reveal() }),
    ...(tls.ciphers === null ? {} : { ciphers: tls.ciphers }),
    ...(tls.checkHostName ? {} : { checkServerIdentity: () => undefined }),
  }
}

/** Null: something cannot be used; the problems are noted in `properties`. */
export async function readTlsSettings(
  properties: ClientProperties,
  workingDirectory: string,
): Promise<TlsSettings | null> {
  const problemsBefore = properties.problems.length
  const versions = readVersions(properties)
  const ciphers = readCiphers(properties)
  const checkHostName = readHostNameCheck(properties)
  const trustedCertificates = await readTrust(properties, workingDirectory)
  const identity = await readIdentity(properties, workingDirectory)
  if (properties.problems.length > problemsBefore || versions === null) return null
  return { trustedCertificates, identity, checkHostName, ...versions, ciphers }
}

function readHostNameCheck(properties: ClientProperties): boolean {
  const key = 'ssl.endpoint.identification.algorithm'
  const setting = properties.get(key)
  if (setting === null || setting.value.toLowerCase() === 'https') return true
  if (setting.value === '') {
    properties.warn(key, 'is empty: host names in certificates are not checked (their signatures are)')
    return false
  }
  properties.problem(
    key,
    `${setting.shown} is not supported; supported: https, or empty to switch host name checks off`,
  )
  return true
}

/** ssl.protocol counts only where ssl.enabled.protocols is empty: Kafka sets the latter on each engine, by default too. */
function readVersions(properties: ClientProperties): Pick<TlsSettings, 'minVersion' | 'maxVersion'> | null {
  const protocol = properties.get('ssl.protocol')
  if (protocol !== null && !['', 'TLS', 'TLSv1.2', 'TLSv1.3'].includes(protocol.value)) {
    properties.problem('ssl.protocol', `${protocol.shown} is not supported; supported: TLSv1.3, TLSv1.2, TLS`)
  }
  const enabled = properties.get('ssl.enabled.protocols')
  const list: string[] = enabled === null ? ['TLSv1.2', 'TLSv1.3'] : commaList(enabled.value)
  if (list.length === 0) list.push('TLSv1.2', ...(protocol?.value === 'TLSv1.2' ? [] : ['TLSv1.3']))
  const usable = list.filter((name): name is TlsVersion => name === 'TLSv1.2' || name === 'TLSv1.3')
  const old = list.filter((name) => name !== 'TLSv1.2' && name !== 'TLSv1.3')
  if (usable.length === 0) {
    properties.problem('ssl.enabled.protocols', 'names no version that is supported; supported: TLSv1.2, TLSv1.3')
    return null
  }
  if (old.length > 0) {
    properties.warn('ssl.enabled.protocols', `not offered here: ${printable(old.join(', '))}`)
  }
  return {
    minVersion: usable.includes('TLSv1.2') ? 'TLSv1.2' : 'TLSv1.3',
    maxVersion: usable.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2',
  }
}

function readCiphers(properties: ClientProperties): string | null {
  const names = commaList(properties.text('ssl.cipher.suites') ?? '')
  if (names.length === 0) return null
  const known: string[] = []
  const unknown: string[] = []
  for (const name of names) {
    const found = opensslCipherSuite(name)
    if (found === null) unknown.push(name)
    else known.push(found)
  }
  if (unknown.length > 0) {
    properties.problem('ssl.cipher.suites', `not offered by this Node: ${printable(unknown.join(', '))}`)
  }
  return known.join(':')
}

const TRUST_STORE = {
  location: 'ssl.truststore.location',
  type: 'ssl.truststore.type',
  password: 'ssl.truststore.password',
} as const

const KEY_STORE = {
  location: 'ssl.keystore.location',
  type: 'ssl.keystore.type',
  password: 'ssl.keystore.password',
} as const

type StoreKeys = typeof TRUST_STORE | typeof KEY_STORE

/** The rules for which settings go together are those of Kafka's DefaultSslEngineFactory. */
async function readTrust(properties: ClientProperties, workingDirectory: string): Promise<string[] | null> {
  const type = storeType(properties, TRUST_STORE)
  const inline = properties.text('ssl.truststore.certificates')
  const location = properties.text(TRUST_STORE.location)
  const password = properties.text(TRUST_STORE.password)
  if (type === null) return null
  if (inline !== null) {
    if (location !== null) {
      properties.problem('ssl.truststore.certificates', `cannot be set together with ${TRUST_STORE.location}`)
    } else if (type !== 'PEM') {
      properties.problem('ssl.truststore.certificates', `needs ${TRUST_STORE.type}=PEM`)
    } else if (password !== null) {
      properties.problem(TRUST_STORE.password, 'cannot be set for PEM')
    } else return guarded(properties, { store: 'ssl.truststore.certificates' }, () => pemCertificates(inline))
    return null
  }
  if (location === null) {
    if (password !== null) properties.problem(TRUST_STORE.password, `is set, but ${TRUST_STORE.location} is not`)
    return null
  }
  if (type === 'PEM' && password !== null) {
    properties.problem(TRUST_STORE.password, 'cannot be set for PEM')
    return null
  }
  const bytes = readStoreFile(properties, TRUST_STORE.location, location, workingDirectory)
  if (bytes === null) return null
  return guarded(
    properties,
    { store: TRUST_STORE.location, storePassword: TRUST_STORE.password },
    async (): Promise<string[]> => {
      if (type === 'PEM') return pemCertificates(bytes.toString('utf8'))
      const { trustedCertificates } = await readStore(bytes, password, null)
      if (trustedCertificates.length === 0) {
        throw new StoreError(
          'store',
          'it holds no certificate that Java would trust: add the authority with keytool -importcert (openssl does not mark it as trusted)',
        )
      }
      return trustedCertificates.map((der, index) => certificatePem(der, `certificate ${index + 1}`))
    },
  )
}

async function readIdentity(properties: ClientProperties, workingDirectory: string): Promise<TlsSettings['identity']> {
  const type = storeType(properties, KEY_STORE)
  const inlineKey = properties.text('ssl.keystore.key')
  const inlineChain = properties.text('ssl.keystore.certificate.chain')
  const location = properties.text(KEY_STORE.location)
  const password = properties.text(KEY_STORE.password)
  const keyPassword = properties.text('ssl.key.password')
  if (type === null) return null
  if (inlineKey !== null || inlineChain !== null) {
    const first = inlineKey !== null ? 'ssl.keystore.key' : 'ssl.keystore.certificate.chain'
    if (location !== null) properties.problem(first, `cannot be set together with ${KEY_STORE.location}`)
    else if (type !== 'PEM') properties.problem(first, `needs ${KEY_STORE.type}=PEM`)
    else if (password !== null) properties.problem(KEY_STORE.password, 'cannot be set for PEM, only ssl.key.password')
    else if (inlineChain === null)
      properties.problem('ssl.keystore.certificate.chain', 'is needed with ssl.keystore.key')
    else if (inlineKey === null) properties.problem('ssl.keystore.key', 'is needed with ssl.keystore.certificate.chain')
    else {
      const chain = await guarded(properties, { store: 'ssl.keystore.certificate.chain' }, () =>
        pemCertificates(inlineChain),
      )
      if (chain === null) return null
      return guarded(properties, { store: 'ssl.keystore.key' }, () => pemIdentity(inlineKey, chain, keyPassword))
    }
    return null
  }
  if (location === null) {
    if (password !== null) properties.problem(KEY_STORE.password, `is set, but ${KEY_STORE.location} is not`)
    return null
  }
  if (type === 'PEM' && password !== null) {
    properties.problem(KEY_STORE.password, 'cannot be set for PEM, only ssl.key.password')
    return null
  }
  if (type !== 'PEM' && password === null) {
    properties.problem(KEY_STORE.password, `is needed with ${KEY_STORE.location}`)
  }
  const bytes = readStoreFile(properties, KEY_STORE.location, location, workingDirectory)
  if (bytes === null || (type !== 'PEM' && password === null)) return null
  return guarded(properties, { store: KEY_STORE.location, storePassword: KEY_STORE.password }, async () => {
    if (type === 'PEM') {
      const text = bytes.toString('utf8')
      return pemIdentity(text, pemCertificates(text), keyPassword)
    }
    const { keys } = await readStore(bytes, password, keyPassword ?? password)
    const [key] = keys
    if (key === undefined) {
      properties.warn(KEY_STORE.location, 'holds no private key: the client proves itself with nothing')
      return null
    }
    if (keys.length > 1) throw new StoreError('store', `it holds ${keys.length} private keys, one is supported`)
    const chain = key.chain.map((der, index) => certificatePem(der, `certificate ${index + 1}`))
    const pem = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(key.privateKey).toString('base64')}\n-----END PRIVATE KEY-----`
    return pemIdentity(pem, chain, null)
  })
}

function pemIdentity(keyText: string, chain: readonly string[], password: string | null): TlsSettings['identity'] {
  const key = pemPrivateKey(keyText, password)
  const [own] = chain
  if (own === undefined || !new X509Certificate(own).checkPrivateKey(key)) {
    throw new StoreError('store', 'the private key does not belong to the first certificate')
  }
  return {
    certificateChain: ownToRoot(own, chain).join(''),
    privateKey: new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
}

/** PKCS12 keeps certificates in any order; on the wire each is followed by its issuer. */
function ownToRoot(own: string, chain: readonly string[]): string[] {
  const ordered = [own]
  let current = new X509Certificate(own)
  for (;;) {
    const issuer = chain.find((pem) => !ordered.includes(pem) && current.checkIssued(new X509Certificate(pem)))
    if (issuer === undefined) return ordered
    ordered.push(issuer)
    current = new X509Certificate(issuer)
  }
}

function storeType(properties: ClientProperties, { type }: StoreKeys): 'JKS' | 'PKCS12' | 'PEM' | null {
  const setting = properties.get(type)
  // KeyStore.getInstance takes its names in any case, Kafka compares PEM exactly.
  const name = setting === null ? 'JKS' : setting.value === 'PEM' ? 'PEM' : setting.value.toUpperCase()
  if (name === 'JKS' || name === 'PKCS12' || (name === 'PEM' && (setting === null || setting.value === 'PEM')))
    return name
  properties.problem(type, `${setting?.shown ?? name} is not supported; supported: JKS, PKCS12, PEM`)
  return null
}

function readStoreFile(
  properties: ClientProperties,
  key: string,
  location: string,
  workingDirectory: string,
): Buffer | null {
  try {
    return readFileSync(resolve(workingDirectory, location))
  } catch (error) {
    properties.problem(key, `${properties.get(key)?.shown ?? ''} ${fileFailure(error)}`)
    return null
  }
}

/**
 * JKS and PKCS12 are told apart by content, whichever of the two the type says: Java does so, too (keystore.type.compat).
 *
 * @param keyPassword null: keys are not wanted
 */
async function readStore(bytes: Buffer, password: string | null, keyPassword: string | null): Promise<StoreContent> {
  const { isJks, readJks } = await import('./stores/jks.js')
  if (isJks(bytes)) return readJks(bytes, password, keyPassword)
  const { readPkcs12 } = await import('./stores/pkcs12.js')
  // Without a password Java reads just those that have none (keytool with the algorithms NONE).
  const content = readPkcs12(bytes, password ?? '')
  if (content.keys.length > 0 && keyPassword !== null && keyPassword !== password) {
    throw new StoreError('keyPassword', 'differs from ssl.keystore.password: PKCS12 stores have one password')
  }
  return content
}

/** Runs `read`; a StoreError becomes a problem of the setting that is to blame. */
async function guarded<T>(
  properties: ClientProperties,
  keys: { readonly store: string; readonly storePassword?: string },
  read: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const byFault = {
      store: keys.store,
      storePassword: keys.storePassword ?? keys.store,
      keyPassword: 'ssl.key.password',
    }
    properties.problem(byFault[error.fault], error.message)
    return null
  }
}

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
