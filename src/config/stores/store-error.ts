/** Why a key or trust store cannot be used. The text names no password and quotes nothing of the store. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** Which of a store's settings is to blame: the store itself, its password, or the password of the key in it. */
  readonly fault: 'store' | 'storePassword' | 'keyPassword'

  constructor(fault: StoreError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

/** What a client proves itself with. */
export interface PrivateKeyEntry {
  /** PKCS#8, DER. */
  readonly privateKey: Uint8Array
  /** DER, the key's own certificate first. */
  readonly chain: readonly Uint8Array[]
}

/** What a JKS or PKCS12 file holds, passwords dealt with. */
export interface StoreContent {
  readonly trustedCertificates: readonly Uint8Array[]
  readonly keys: readonly PrivateKeyEntry[]
}
