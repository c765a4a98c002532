import { isIP } from 'node:net'

export interface BrokerAddress {
  readonly host: string
  readonly port: number
  /** The name in the broker's certificate, where it is reached at another address (tunnel). */
  readonly certificateName?: string
}

export function formatAddress({ host, port }: { host: string; port: number }): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}
