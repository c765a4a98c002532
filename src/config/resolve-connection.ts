import { parseBootstrapServers } from './bootstrap-servers.js'
import { parseBrokerEndpoints } from './broker-endpoint.js'
import { ConfigError } from './config-error.js'
import type { ProviderEnvironment } from './config-providers.js'
import { type CommandConfig, type ConnectionSettings, readCommandConfig } from './connection-settings.js'
import { endpointOptions, type Profile, Profiles } from './profiles.js'
import { stateFolders } from './state-folder.js'

const DEFAULT_CLIENT_ID = 'kafka-recovery'
/** ms. Kafka's own default of 30 s is too long for somebody who waits. */
const DEFAULT_REQUEST_TIMEOUT_MS = 10_000

/** The connection options of the command line, as parsed; absent ones are left out. */
export interface ConnectionOptions {
  readonly bootstrapServer?: string
  readonly commandConfigFile?: string
  readonly profile?: string
  /** `ID=host:port` */
  readonly brokerEndpoints: readonly string[]
  readonly readOnly: boolean
  /** ms */
  readonly requestTimeoutMs?: number
}

export interface ResolvedConnection {
  readonly settings: ConnectionSettings
  /** One line each, for stderr. */
  readonly warnings: readonly string[]
  /** Names of settings without meaning here, for --verbose. */
  readonly ignored: readonly string[]
  readonly profile?: Profile
}

/** What is read besides options; by default that of this process. */
export interface ConnectionEnvironment extends ProviderEnvironment {
  /** Folder of the saved profiles. */
  readonly profilesFolder?: string
}

/**
 * Puts options, properties file and profile together: an option comes before the properties file, that before the profile.
 * Connects to nothing.
 *
 * @throws ConfigError with everything that is wrong, one line each
 */
export async function resolveConnection(
  options: ConnectionOptions,
  environment: ConnectionEnvironment = { env: process.env, workingDirectory: process.cwd() },
): Promise<ResolvedConnection> {
  const problems: string[] = []
  const attempt = async <T>(read: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
      return null
    }
  }

  const profile = await attempt(() => readProfile(options.profile, environment))
  const commandConfigFile = options.commandConfigFile ?? profile?.commandConfig
  const config: CommandConfig | null =
    commandConfigFile === undefined ? null : await attempt(() => readCommandConfig(commandConfigFile, environment))
  problems.push(...(config?.problems ?? []))
  const fromProfile = await attempt(() => parseBrokerEndpoints(endpointOptions(profile?.brokerEndpoints ?? {})))
  const fromOptions = await attempt(() => parseBrokerEndpoints(options.brokerEndpoints))
  const { bootstrapServer } = options
  const bootstrapServers =
    bootstrapServer !== undefined
      ? await attempt(() => parseBootstrapServers(bootstrapServer, '--bootstrap-server'))
      : (config?.bootstrapServers ??
        (profile?.bootstrapServers === undefined
          ? null
          : await attempt(() => parseBootstrapServers(profile.bootstrapServers ?? '', `profile ${profile.name}`))))
  const { requestTimeoutMs } = options
  if (requestTimeoutMs !== undefined && !isTimeout(requestTimeoutMs)) {
    problems.push('--request-timeout-ms: a whole number of milliseconds is expected, from 1 to 2147483647')
  }
  if (bootstrapServers === null && problems.length === 0) {
    problems.push(
      'no servers to connect to: give --bootstrap-server, bootstrap.servers in --command-config, or --profile',
    )
  }
  const security = commandConfigFile === undefined ? ({ protocol: 'PLAINTEXT' } as const) : (config?.security ?? null)
  if (problems.length > 0 || bootstrapServers === null || security === null) throw new ConfigError(problems)
  return {
    settings: {
      bootstrapServers,
      clientId: config?.clientId ?? DEFAULT_CLIENT_ID,
      requestTimeoutMs: requestTimeoutMs ?? config?.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
      security,
      brokerEndpoints: new Map([...(fromProfile ?? []), ...(fromOptions ?? [])]),
      readOnly: options.readOnly || profile?.readOnly === true,
      replicaLogInfoApiKey: config?.replicaLogInfoApiKey ?? null,
    },
    warnings: config?.warnings ?? [],
    ignored: config?.ignored ?? [],
    ...(profile === null ? {} : { profile }),
  }
}

async function readProfile(name: string | undefined, environment: ConnectionEnvironment): Promise<Profile | null> {
  if (name === undefined) return null
  return new Profiles(environment.profilesFolder ?? stateFolders(environment.env).profiles).get(name)
}

/** What a timer of Node can wait for. */
function isTimeout(milliseconds: number): boolean {
  return Number.isInteger(milliseconds) && milliseconds >= 1 && milliseconds < 2 ** 31
}
