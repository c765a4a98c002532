import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import forge from 'node-forge'

/** A certificate with its key, PEM. */
export interface Certified {
  readonly name: string
  readonly certificate: string
  readonly key: KeyObject
}

export interface CertificateWishes {
  readonly name: string
  /** Null: it signs itself, and may sign others. */
  readonly issuer: Certified | null
  readonly hosts?: readonly ({ readonly dns: string } | { readonly ip: string })[]
  /** Over since yesterday. */
  readonly expired?: boolean
}

const DAY_MS = 24 * 3600_000
const DNS_NAME = 2
const IP_ADDRESS = 7

/** Makes an RSA key and a certificate for it. */
export function certified({ name, issuer, hosts = [], expired = false }: CertificateWishes): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`
  certificate.validity.notBefore = new Date(Date.now() - 3 * DAY_MS)
  certificate.validity.notAfter = new Date(Date.now() + (expired ? -DAY_MS : 10 * DAY_MS))
  const subject = [{ name: 'commonName', value: name }]
  certificate.setSubject(subject)
  certificate.setIssuer(issuer === null ? subject : [{ name: 'commonName', value: issuer.name }])
  certificate.setExtensions([
    { name: 'basicConstraints', cA: issuer === null },
    ...(hosts.length === 0
      ? []
      : [
          {
            name: 'subjectAltName',
            altNames: hosts.map((host) =>
              'dns' in host ? { type: DNS_NAME, value: host.dns } : { type: IP_ADDRESS, ip: host.ip },
            ),
          },
        ]),
  ])
  certificate.sign(forgeKey(issuer?.key ?? privateKey), forge.md.sha256.create())
  return { name, certificate: forge.pki.certificateToPem(certificate), key: privateKey }
}

/**
 * The key as PKCS#8, PEM; encrypted where a password is given, in the older way (3DES): Kafka cannot read the newer one (PBES2) with
 * a Java before 19.
 */
export function keyPem({ key }: Certified, password?: string): string {
  if (password === undefined) return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const info = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(forgeKey(key)))
  return forge.pki.encryptedPrivateKeyToPem(forge.pki.encryptPrivateKeyInfo(info, password, { algorithm: '3des' }))
}

/** A key store of Java's making, by keytool. */
export async function keyStore(
  folder: string,
  file: string,
  type: 'JKS' | 'PKCS12',
  { certificate, key }: Certified,
  { store, key: keyPassword = store }: { readonly store: string; readonly key?: string },
): Promise<void> {
  const source = join(folder, `${file}.source`)
  const pkcs12 = forge.pkcs12.toPkcs12Asn1(forgeKey(key), [forge.pki.certificateFromPem(certificate)], store, {
    algorithm: '3des',
    friendlyName: 'own',
  })
  writeFileSync(source, forge.asn1.toDer(pkcs12).getBytes(), 'binary')
  await keytool(
    '-importkeystore',
    '-srckeystore',
    source,
    '-srcstoretype',
    'PKCS12',
    '-srcstorepass',
    store,
    '-srcalias',
    'own',
    '-destkeystore',
    join(folder, file),
    '-deststoretype',
    type,
    '-deststorepass',
    store,
    '-destkeypass',
    keyPassword,
  )
}

/** A trust store of Java's making, by keytool. */
export async function trustStore(
  folder: string,
  file: string,
  type: 'JKS' | 'PKCS12',
  trusted: Certified,
  password: string,
): Promise<void> {
  const source = join(folder, `${file}.pem`)
  writeFileSync(source, trusted.certificate)
  await keytool(
    '-importcert',
    '-noprompt',
    '-alias',
    'authority',
    '-file',
    source,
    '-keystore',
    join(folder, file),
    '-storetype',
    type,
    '-storepass',
    password,
  )
}

async function keytool(...args: readonly string[]): Promise<void> {
  await execa('keytool', args, { stdin: 'ignore' })
}

function forgeKey(key: KeyObject): forge.pki.rsa.PrivateKey {
  return forge.pki.privateKeyFromPem(key.export({ type: 'pkcs1', format: 'pem' }).toString())
}
