import forge from 'node-forge'
import { type StoreContent, StoreError } from './store-error.js'

/** Marks a certificate as trusted in Java's PKCS12 stores (Oracle's trusted key usage). */
const TRUSTED_KEY_USAGE = '2.16.840.1.113894.746875.1.1'
// node-forge drops attributes whose OID it has no name for.
forge.pki.oids[TRUSTED_KEY_USAGE] = 'trustedKeyUsage'
forge.pki.oids.trustedKeyUsage = TRUSTED_KEY_USAGE

/**
 * Reads a PKCS12 store as Java's PKCS12 KeyStore does: a certificate counts as trusted only if it carries Java's mark (or
 * belongs to a key), so one that openssl wrote without a key trusts nobody, in Java as here. Loaded only when needed.
 *
 * @throws StoreError
 */
export function readPkcs12(bytes: Buffer, password: string): StoreContent {
  const pfx = parse(bytes, password)
  const certificates: { readonly der: Buffer; readonly trusted: boolean; readonly keyId: string | null }[] = []
  const keys: { readonly der: Buffer; readonly keyId: string | null }[] = []
  for (const bag of pfx.safeContents.flatMap((contents) => contents.safeBags)) {
    const keyId = attribute(bag, 'localKeyId')
    if (bag.type === forge.pki.oids.certBag) {
      // What node-forge cannot read (EC keys) it leaves as ASN.1.
      const asn1 = bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1
      certificates.push({ der: derOf(asn1), trusted: attribute(bag, 'trustedKeyUsage') !== null, keyId })
    } else if (bag.type === forge.pki.oids.pkcs8ShroudedKeyBag || bag.type === forge.pki.oids.keyBag) {
      const asn1 = bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1
      keys.push({ der: derOf(asn1), keyId })
    }
  }
  const others = certificates.filter(({ keyId, trusted }) => keyId === null && !trusted).map(({ der }) => der)
  const own = (keyId: string | null) => certificates.find((one) => keyId !== null && one.keyId === keyId)?.der
  return {
    trustedCertificates: certificates.filter(({ trusted, keyId }) => trusted || keyId !== null).map(({ der }) => der),
    keys: keys.map(({ der, keyId }) => {
      const first = own(keyId)
      return { privateKey: der, chain: first === undefined ? others : [first, ...others] }
    }),
  }
}

function parse(bytes: Buffer, password: string): forge.pkcs12.Pkcs12Pfx {
  let asn1: forge.asn1.Asn1
  try {
    asn1 = forge.asn1.fromDer(forge.util.createBuffer(bytes.toString('binary')))
  } catch {
    throw new StoreError('store', 'it is neither a JKS nor a PKCS12 store')
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, password)
  } catch (error) {
    // Its messages are its own words, but not for an operator; only what they tell apart is used.
    const message = error instanceof Error ? error.message : ''
    if (/MAC could not be verified|password|decrypt/i.test(message)) {
      throw new StoreError(
        'storePassword',
        password === '' ? 'is needed for this store' : 'the password is wrong, or the store is damaged',
      )
    }
    if (/unsupported|unknown/i.test(message)) {
      throw new StoreError(
        'store',
        'it is encrypted in a way that is not supported: convert it with keytool -importkeystore',
      )
    }
    throw new StoreError('store', 'it is neither a JKS nor a PKCS12 store, or it is damaged')
  }
}

function attribute(bag: forge.pkcs12.Bag, name: string): string | null {
  const attributes: Record<string, unknown> = bag.attributes ?? {}
  const values = attributes[name]
  return Array.isArray(values) ? String(values[0]) : null
}

function derOf(asn1: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary')
}
