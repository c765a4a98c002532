import type { ConnectionOptions } from 'node:tls'
import { opensslCipherSuite } from './cipher-suites.js'
import type { ClientProperties } from './client-properties.js'
import { readIdentity, readTrust, type TlsIdentity } from './tls-stores.js'

export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** TLS as the properties ask for it; stores are read and decrypted. */
export interface TlsSettings {
  /** PEM, one certificate each. Null: no trust store is configured, Node's own list of authorities counts. */
  readonly trustedCertificates: readonly string[] | null
  /** What the client proves itself with. Null: nothing. */
  readonly identity: TlsIdentity | null
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
    properties.warn(
      'ssl.enabled.protocols',
      `not offered here: ${properties.shownPart('ssl.enabled.protocols', old.join(', '))}`,
    )
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
    properties.problem(
      'ssl.cipher.suites',
      `not offered by this Node: ${properties.shownPart('ssl.cipher.suites', unknown.join(', '))}`,
    )
  }
  return known.join(':')
}

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
