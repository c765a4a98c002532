import { createHash, timingSafeEqual } from 'node:crypto'
import { type StoreContent, StoreError } from './store-error.js'

const MAGIC = 0xfeedfeed
const PRIVATE_KEY_ENTRY = 1
const TRUSTED_CERTIFICATE_ENTRY = 2
const DIGEST_BYTES = 20
/** Salts the digest over the whole store; a constant of the format (sun.security.provider.JavaKeyStore). */
const DIGEST_SALT = 'Mighty Aphrodite'
/** Algorithm of Sun's own key protection, 1.3.6.1.4.1.42.2.17.1.1, as DER. */
const KEY_PROTECTOR_OID = Buffer.from('060a2b060104012a02110101', 'hex')

/** Whether these are the first bytes of a JKS store. Java goes by content, too: it takes PKCS12 under the type JKS. */
export function isJks(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE(0) === MAGIC
}

/**
 * Reads a JKS store, Java's own format before PKCS12, as sun.security.provider.JavaKeyStore does. Own reader: the format is
 * small and frozen, and the packages for it tell a wrong password not apart from a damaged file.
 *
 * @param password null: the store's integrity is not checked, as in Java (trust stores only)
 * @param keyPassword of the private keys; null: keys are left out
 * @throws StoreError
 */
export function readJks(bytes: Buffer, password: string | null, keyPassword: string | null): StoreContent {
  if (password !== null) checkDigest(bytes, password)
  const cursor = new Cursor(bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES)))
  cursor.uint32()
  const version = cursor.uint32()
  if (version !== 1 && version !== 2) throw new StoreError('store', `JKS version ${version} is not known`)
  const count = cursor.uint32()
  const trustedCertificates: Uint8Array[] = []
  const keys: { privateKey: Uint8Array; chain: Uint8Array[] }[] = []
  const certificate = () => {
    if (version === 2 && cursor.text() !== 'X.509')
      throw new StoreError('store', 'it holds certificates other than X.509')
    return cursor.bytes(cursor.uint32())
  }
  for (let entry = 0; entry < count; entry++) {
    const tag = cursor.uint32()
    cursor.text()
    cursor.bytes(8)
    if (tag === TRUSTED_CERTIFICATE_ENTRY) trustedCertificates.push(certificate())
    else if (tag === PRIVATE_KEY_ENTRY) {
      const protectedKey = cursor.bytes(cursor.uint32())
      const chainLength = cursor.uint32()
      const chain: Uint8Array[] = []
      for (let index = 0; index < chainLength; index++) chain.push(certificate())
      // A trust manager trusts the first certificate of a key entry, too (sun.security.validator.TrustStoreUtil).
      if (chain[0] !== undefined) trustedCertificates.push(chain[0])
      if (keyPassword !== null) keys.push({ privateKey: recoverKey(protectedKey, keyPassword), chain })
    } else throw new StoreError('store', `it holds an entry of unknown kind (${tag})`)
  }
  return { trustedCertificates, keys }
}

function checkDigest(bytes: Buffer, password: string): void {
  const end = bytes.length - DIGEST_BYTES
  const digest = createHash('sha1')
    .update(utf16(password))
    .update(DIGEST_SALT)
    .update(bytes.subarray(0, Math.max(0, end)))
  if (end < 12 || !timingSafeEqual(digest.digest(), bytes.subarray(end))) {
    throw new StoreError('storePassword', 'the password is wrong, or the store is damaged')
  }
}

/** Sun's key protection: salt, key XOR a chain of SHA-1 over password and the digest before, digest over the plain key. */
function recoverKey(encryptedKeyInfo: Buffer, password: string): Buffer {
  const found = encryptedKeyInfo.indexOf(KEY_PROTECTOR_OID)
  // The octet string is the last element: what follows the algorithm is a NULL, a tag and a length.
  const at = found + KEY_PROTECTOR_OID.length + 2
  if (found < 0 || found > 16 || encryptedKeyInfo[at] !== 0x04) {
    throw new StoreError('store', 'its key is protected in a way that is not known')
  }
  const lengthByte = encryptedKeyInfo[at + 1] ?? 0
  const data = encryptedKeyInfo.subarray(at + 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0))
  const salt = data.subarray(0, DIGEST_BYTES)
  const encrypted = data.subarray(DIGEST_BYTES, Math.max(DIGEST_BYTES, data.length - DIGEST_BYTES))
  const check = data.subarray(data.length - DIGEST_BYTES)
  const passwordBytes = utf16(password)
  const plain = Buffer.alloc(encrypted.length)
  let digest: Uint8Array = salt
  for (let offset = 0; offset < encrypted.length; offset += DIGEST_BYTES) {
    digest = createHash('sha1').update(passwordBytes).update(digest).digest()
    for (let index = offset; index < Math.min(offset + DIGEST_BYTES, encrypted.length); index++) {
      plain[index] = (encrypted[index] ?? 0) ^ (digest[index - offset] ?? 0)
    }
  }
  const expected = createHash('sha1').update(passwordBytes).update(plain).digest()
  if (!expected.equals(check)) throw new StoreError('keyPassword', 'the password of the key is wrong')
  return plain
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

/** Reads big-endian fields; running over the end is a damaged store. */
class Cursor {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE(0)
  }

  text(): string {
    return this.bytes(this.bytes(2).readUInt16BE(0)).toString('utf8')
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#buffer.length)
      throw new StoreError('store', 'the store is damaged (it ends too early)')
    this.#at += length
    return this.#buffer.subarray(this.#at - length, this.#at)
  }
}
