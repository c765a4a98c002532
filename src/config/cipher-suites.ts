import { getCiphers } from 'node:tls'

const KEY_EXCHANGES: Readonly<Record<string, string>> = {
  ECDHE_ECDSA: 'ECDHE-ECDSA-',
  ECDHE_RSA: 'ECDHE-RSA-',
  DHE_RSA: 'DHE-RSA-',
  RSA: '',
}

const CIPHERS: Readonly<Record<string, string>> = {
  AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  CHACHA20_POLY1305_SHA256: 'CHACHA20-POLY1305',
  AES_128_CBC_SHA256: 'AES128-SHA256',
  AES_256_CBC_SHA256: 'AES256-SHA256',
  AES_256_CBC_SHA384: 'AES256-SHA384',
  AES_128_CBC_SHA: 'AES128-SHA',
  AES_256_CBC_SHA: 'AES256-SHA',
}

/**
 * OpenSSL's name of a cipher suite that Java names as IANA does (`TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`). Those of TLS 1.3
 * have the same name in both. Null: this Node does not offer it.
 */
export function opensslCipherSuite(name: string): string | null {
  const match = /^TLS_(\w+)_WITH_(\w+)$/.exec(name)
  let found: string | null = name
  if (match !== null) {
    const exchange = KEY_EXCHANGES[match[1] ?? '']
    const cipher = CIPHERS[match[2] ?? '']
    found = exchange === undefined || cipher === undefined ? null : exchange + cipher
  }
  return found !== null && getCiphers().includes(found.toLowerCase()) ? found : null
}
