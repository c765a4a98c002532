import { isIPv4, isIPv6 } from 'node:net'
import { printable } from './printable.js'

/** Where something listens. `host` is without brackets. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/**
 * Reads `host:port` or `[::1]:port`. Kafka's own pattern takes more (a URL's scheme, an IPv6 address without brackets, where
 * the last group would be taken for the port); what is ambiguous is refused.
 *
 * @returns what is wrong, as text, if it cannot be read
 */
export function parseEndpoint(text: string): Endpoint | string {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):([0-9]{1,5})$/.exec(text)
  if (match === null) {
    if (isIPv6(text) || /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9]+$/i.test(text)) {
      return `${printable(text)}: an IPv6 address has to stand in brackets, as in [::1]:9092`
    }
    return `${shownEndpoint(text)}: host:port is expected, as in broker1:9092 or [::1]:9092`
  }
  const [, bracketed, plain, portText] = match
  const port = Number(portText)
  if (port < 1 || port > 65_535) return `${printable(text)}: the port has to be between 1 and 65535`
  if (bracketed !== undefined) {
    // A zone index (fe80::1%eth0) belongs to the address.
    return isIPv6(bracketed) ? { host: bracketed, port } : `${printable(text)}: not an IPv6 address in the brackets`
  }
  const host = plain ?? ''
  if (!isIPv4(host) && !/^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_.])?$/.test(host)) {
    return `${shownEndpoint(text)}: not a host name`
  }
  return { host, port }
}

/** Whatever stands before an @ may be a login: left out. */
function shownEndpoint(text: string): string {
  return printable(text.includes('@') ? `…@${text.slice(text.lastIndexOf('@') + 1)}` : text)
}
