import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ClientProperties } from './client-properties.js'
import { fileFailure } from './config-error.js'
import { Secret } from './secret.js'
import { certificatePem, pemCertificates, pemPrivateKey } from './stores/pem.js'
import { type StoreContent, StoreError } from './stores/store-error.js'

/** What the client proves itself with. */
export interface TlsIdentity {
  /** PEM, the client's own certificate first, each followed by its issuer. */
  readonly certificateChain: string
  /** PEM, not encrypted. */
  readonly privateKey: Secret
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

/**
 * Trusted certificates, PEM; null: none are configured, or they cannot be used (then a problem is noted). The rules for
 * which settings go together are those of Kafka's DefaultSslEngineFactory.
 */
export async function readTrust(properties: ClientProperties, workingDirectory: string): Promise<string[] | null> {
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

/** Null: none is configured, or it cannot be used (then a problem is noted). */
export async function readIdentity(
  properties: ClientProperties,
  workingDirectory: string,
): Promise<TlsIdentity | null> {
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

function pemIdentity(keyText: string, chain: readonly string[], password: string | null): TlsIdentity | null {
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
