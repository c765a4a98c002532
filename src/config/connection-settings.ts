import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseBootstrapServers } from './bootstrap-servers.js'
import { clientConfig, invalidValue } from './client-configs.js'
import { ClientProperties, type Setting } from './client-properties.js'
import { ConfigError, fileFailure } from './config-error.js'
import { isProviderSetting, type ProviderEnvironment, resolvePlaceholders } from './config-providers.js'
import type { Endpoint } from './endpoint.js'
import { readJavaProperties } from './java-properties.js'
import { printable } from './printable.js'
import { readSaslSettings, type SaslSettings } from './sasl-settings.js'
import { readTlsSettings, type TlsSettings } from './tls-settings.js'

/** How the connections are protected, and how we log in. */
export type SecuritySettings =
  | { readonly protocol: 'PLAINTEXT' }
  | { readonly protocol: 'SSL'; readonly tls: TlsSettings }
  | { readonly protocol: 'SASL_PLAINTEXT'; readonly sasl: SaslSettings }
  | { readonly protocol: 'SASL_SSL'; readonly tls: TlsSettings; readonly sasl: SaslSettings }

/** All that is needed to connect to a cluster. Plain data; whatever is secret in it is a Secret. */
export interface ConnectionSettings {
  readonly bootstrapServers: readonly Endpoint[]
  readonly clientId: string
  /** Deadline of each request. ms */
  readonly requestTimeoutMs: number
  readonly security: SecuritySettings
  /** Brokers that are reached elsewhere than at their advertised address, by id. */
  readonly brokerEndpoints: ReadonlyMap<number, Endpoint>
  /** Every writing request is refused. */
  readonly readOnly: boolean
  /** GetReplicaLogInfo's api key, where a broker offers KIP-1275 at another one. Null: as the KIP's branch had it. */
  readonly replicaLogInfoApiKey: number | null
}

/** What a command config says; what it does not say is null. */
export interface CommandConfig {
  readonly bootstrapServers: readonly Endpoint[] | null
  readonly clientId: string | null
  /** ms */
  readonly requestTimeoutMs: number | null
  readonly replicaLogInfoApiKey: number | null
  /** Null: it cannot be used, see `problems`. */
  readonly security: SecuritySettings | null
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Settings without meaning here, as `key` in the order of the file. */
  readonly ignored: readonly string[]
}

/**
 * Reads a command config (Java properties of a Kafka client). Nothing is thrown for what it holds: all problems are
 * gathered, one line each, so that an operator mends them in one go.
 *
 * @throws ConfigError if the file cannot be read at all
 */
export async function readCommandConfig(file: string, environment: ProviderEnvironment): Promise<CommandConfig> {
  let bytes: Buffer
  try {
    bytes = readFileSync(resolve(environment.workingDirectory, file))
  } catch (error) {
    throw new ConfigError(`${printable(file)} ${fileFailure(error)} (--command-config)`)
  }
  const content = readJavaProperties(bytes, file)
  const resolved = resolvePlaceholders(content, file, environment)
  const properties = new ClientProperties(file, resolved)
  properties.problems.push(...resolved.problems)
  properties.warnings.push(...content.warnings, ...resolved.warnings)
  const ignored = checkKnown(properties)
  // Also where a placeholder is left: everything that is wrong is to be named at once. The result is then thrown away.
  const security = await readSecurity(properties, environment.workingDirectory)
  const bootstrap = properties.get('bootstrap.servers')
  const timeout = properties.get('request.timeout.ms')
  const timeoutMs = timeout === null ? Number.NaN : Number(timeout.value)
  return {
    bootstrapServers: bootstrap === null || bootstrap.value === '' ? null : readServers(properties, bootstrap),
    clientId: properties.text('client.id'),
    requestTimeoutMs: Number.isInteger(timeoutMs) && timeoutMs > 0 ? timeoutMs : null,
    replicaLogInfoApiKey: readApiKey(properties),
    security: resolved.unresolved.size > 0 ? null : security,
    problems: properties.problems,
    warnings: properties.warnings,
    ignored,
  }
}

/** Checks every setting against what Kafka's client knows; gives back those that have no meaning here. */
function checkKnown(properties: ClientProperties): string[] {
  const ignored: string[] = []
  for (const { key, value, shown } of properties.all()) {
    if (isProviderSetting(key) || key === REPLICA_LOG_INFO_API_KEY) continue
    const config = clientConfig(key)
    if (config === null) {
      if (/^(?:ssl|sasl|security)\./.test(key)) {
        properties.warn(key, 'is not a setting of Kafka clients (4.4); they ignore it, and so does this program')
      } else ignored.push(printable(key))
      continue
    }
    const { use } = config
    if (use.kind === 'refused') {
      if (value !== '' && !use.harmless.includes(value)) {
        const what =
          config.type === 'class' || config.type === 'boolean' ? `${shown} is not supported` : 'is not supported'
        properties.problem(key, `${what}: ${use.instead}`)
      }
      continue
    }
    const invalid =
      value === '' && TEXT_TYPES.has(config.type) && config.oneOf === undefined ? null : invalidValue(config, value)
    if (invalid !== null) properties.problem(key, `${shown === '' ? 'the empty value' : shown} ${invalid}`)
    if (use.kind === 'ignored') ignored.push(printable(key))
  }
  return ignored
}

/** A setting of ours, no client's: KIP-1275 is in no release, and its request may come at another key than in the draft. */
const REPLICA_LOG_INFO_API_KEY = 'unstable.getReplicaLogInfoApiKey'

function readApiKey(properties: ClientProperties): number | null {
  const setting = properties.get(REPLICA_LOG_INFO_API_KEY)
  if (setting === null) return null
  if (/^\d{1,5}$/.test(setting.value) && Number(setting.value) <= 32_767) return Number(setting.value)
  properties.problem(REPLICA_LOG_INFO_API_KEY, `${setting.shown} is not an api key: a whole number from 0 to 32767`)
  return null
}

const TEXT_TYPES = new Set(['string', 'password', 'list', 'class'])

function readServers(properties: ClientProperties, { value, where }: Setting): Endpoint[] | null {
  try {
    return parseBootstrapServers(value, `${where}: bootstrap.servers`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Its messages quote the value, which is not to be shown if a provider gave it.
    if (properties.shownPart('bootstrap.servers', value) === printable(value))
      properties.problems.push(...error.problems)
    else properties.problem('bootstrap.servers', 'the value that a provider gave is not a list of host:port')
    return null
  }
}

async function readSecurity(properties: ClientProperties, workingDirectory: string): Promise<SecuritySettings | null> {
  const setting = properties.get('security.protocol')
  const protocol = setting === null ? 'PLAINTEXT' : setting.value.toUpperCase()
  switch (protocol) {
    case 'PLAINTEXT':
      warnWithoutEffect(properties, protocol, /^(?:ssl|sasl)\./)
      return { protocol }
    case 'SSL': {
      warnWithoutEffect(properties, protocol, /^sasl\./)
      const tls = await readTlsSettings(properties, workingDirectory)
      return tls === null ? null : { protocol, tls }
    }
    case 'SASL_PLAINTEXT': {
      warnWithoutEffect(properties, protocol, /^ssl\./)
      const sasl = readSaslSettings(properties)
      return sasl === null ? null : { protocol, sasl }
    }
    case 'SASL_SSL': {
      const sasl = readSaslSettings(properties)
      const tls = await readTlsSettings(properties, workingDirectory)
      return sasl === null || tls === null ? null : { protocol, tls, sasl }
    }
    default:
      return null
  }
}

/** A file with a login but without security.protocol means plain text to Kafka, silently: said here. */
function warnWithoutEffect(properties: ClientProperties, protocol: string, names: RegExp): void {
  const without = [...properties.all()]
    .map(({ key }) => key)
    .filter((key) => names.test(key) && clientConfig(key) !== null)
  if (without.length === 0) return
  const origin = properties.get('security.protocol') === null ? ' (its default)' : ''
  properties.warn('security.protocol', `is ${protocol}${origin}: without effect are ${without.join(', ')}`)
}
