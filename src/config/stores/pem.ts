import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { StoreError } from './store-error.js'

/**
 * Certificates in a PEM text, each as PEM of its own. Like Kafka's DefaultSslEngineFactory it takes PEM on a single line,
 * with blanks in the place of line ends, as it stands in a properties file.
 *
 * @throws StoreError if there is none, or one is not an X.509 certificate
 */
export function pemCertificates(text: string): string[] {
  const blocks = pemBlocks(text).filter(({ label }) => /\bCERTIFICATE$/.test(label))
  if (blocks.length === 0) throw new StoreError('store', 'it holds no PEM certificate (-----BEGIN CERTIFICATE-----)')
  return blocks.map(({ body }, index) => certificatePem(Buffer.from(body, 'base64'), `certificate ${index + 1}`))
}

/**
 * The private key in a PEM text, as unencrypted PKCS#8.
 *
 * @throws StoreError fault `keyPassword` if the password is missing or wrong
 */
export function pemPrivateKey(text: string, password: string | null): KeyObject {
  const block = pemBlocks(text).find(({ label }) => /\bPRIVATE KEY$/.test(label))
  if (block === undefined) throw new StoreError('store', 'it holds no PEM private key (-----BEGIN PRIVATE KEY-----)')
  const encrypted = block.label.startsWith('ENCRYPTED') || block.source.includes('Proc-Type:')
  if (encrypted && password === null)
    throw new StoreError('keyPassword', 'the key is encrypted: its password is needed')
  const key = block.source.includes('Proc-Type:') ? block.source : pem(block.label, block.body)
  try {
    return createPrivateKey(encrypted && password !== null ? { key, passphrase: password } : { key })
  } catch {
    if (encrypted) {
      throw new StoreError(
        'keyPassword',
        'the password is wrong, or the key is encrypted in a way that is not supported',
      )
    }
    throw new StoreError('store', 'its private key cannot be read')
  }
}

/** PEM of a DER certificate, after a look whether it is one. */
export function certificatePem(der: Uint8Array, what: string): string {
  try {
    return new X509Certificate(der).toString()
  } catch {
    throw new StoreError('store', `${what} is not an X.509 certificate`)
  }
}

interface PemBlock {
  readonly label: string
  /** Base64 without blanks. */
  readonly body: string
  readonly source: string
}

function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*(?:-[^-]+)*)-----END \1-----/g)].map(
    ([source, label = '', body = '']) => ({ label, body: body.replace(/\s+/g, ''), source }),
  )
}

function pem(label: string, body: string): string {
  return `-----BEGIN ${label}-----\n${body.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`
}
