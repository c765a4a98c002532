import { ConfigError } from './config-error.js'
import { type Endpoint, parseEndpoint } from './endpoint.js'

/**
 * Reads `host:port,host:port`, blanks around the commas allowed, `[::1]:9092` too. Duplicates are dropped.
 *
 * @param from what the text comes from, for messages: `--bootstrap-server`
 * @throws ConfigError, one line for each entry that cannot be read
 */
export function parseBootstrapServers(text: string, from: string): Endpoint[] {
  const endpoints = new Map<string, Endpoint>()
  const problems: string[] = []
  for (const part of text.split(',')) {
    const entry = part.trim()
    if (entry === '') {
      problems.push(`${from}: ${text.trim() === '' ? 'no server is named' : 'an entry of the list is empty'}`)
      continue
    }
    const endpoint = parseEndpoint(entry)
    if (typeof endpoint === 'string') {
      problems.push(`${from}: ${endpoint}`)
      continue
    }
    const key = `${endpoint.host.toLowerCase()} ${endpoint.port}`
    if (!endpoints.has(key)) endpoints.set(key, endpoint)
  }
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  return [...endpoints.values()]
}
