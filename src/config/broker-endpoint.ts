import { ConfigError } from './config-error.js'
import { type Endpoint, parseEndpoint } from './endpoint.js'
import { printable } from './printable.js'

const MAX_BROKER_ID = 2 ** 31 - 1

/**
 * Reads `--broker-endpoint ID=host:port`, all of them: where to reach which broker.
 *
 * @throws ConfigError, one line for each that cannot be read, and for a broker that is named twice
 */
export function parseBrokerEndpoints(options: readonly string[], from = '--broker-endpoint'): Map<number, Endpoint> {
  const endpoints = new Map<number, Endpoint>()
  const problems: string[] = []
  for (const option of options) {
    const match = /^\s*([0-9]{1,10})=(.*?)\s*$/s.exec(option)
    const broker = Number(match?.[1])
    if (match === null || broker > MAX_BROKER_ID) {
      problems.push(`${from}: ${printable(option)}: BROKER-ID=host:port is expected, as in 3=127.0.0.1:19093`)
      continue
    }
    const endpoint = parseEndpoint(match[2] ?? '')
    if (typeof endpoint === 'string') problems.push(`${from}: broker ${broker}: ${endpoint}`)
    else if (endpoints.has(broker)) problems.push(`${from}: broker ${broker} is named twice`)
    else endpoints.set(broker, endpoint)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return endpoints
}
