import { errorName } from '../protocol/error-codes.js'
import { BROKER_RESOURCE, DescribeConfigs } from '../protocol/rpc/describe-configs.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { ClusterSession } from './session.js'

/** What of a broker's own configuration a repair depends on. */
export interface BrokerConfig {
  /** log.dirs, in its order; without it the single log.dir. */
  readonly logDirs: readonly string[]
  /** metadata.log.dir; where it is not set Kafka takes the first of log.dirs. Null in ZooKeeper mode: there is none. */
  readonly metadataLogDir: string | null
  /** `broker`, `controller`; empty in ZooKeeper mode. */
  readonly processRoles: readonly string[]
}

export type BrokerConfigRead =
  | { readonly kind: 'read'; readonly config: BrokerConfig }
  /** One line: what is not known, and what would help. */
  | { readonly kind: 'notRead'; readonly text: string }

const KEYS = ['log.dirs', 'log.dir', 'metadata.log.dir', 'process.roles'] as const

/**
 * DescribeConfigs of BROKER N, which only broker N answers (measured on 4.4.0: another one answers 42). Needs DESCRIBE_CONFIGS on the
 * cluster. Never fails: a broker that is away is one that was not read.
 */
export async function readBrokerConfig(session: ClusterSession, broker: number): Promise<BrokerConfigRead> {
  const link = session.connections.link(broker)
  if (link === null) return notRead(`the configuration of broker ${broker} is not known: its address is in no list`)
  try {
    const { body } = await link.request(
      DescribeConfigs,
      {
        resources: [{ resourceType: BROKER_RESOURCE, resourceName: String(broker), configurationKeys: [...KEYS] }],
      },
      { timeoutMs: session.requestTimeoutMs },
    )
    const result = body.results[0]
    if (result === undefined || result.errorCode !== 0) {
      const why = result === undefined ? 'no answer for it' : errorName(result.errorCode)
      return notRead(
        `the configuration of broker ${broker} is not known: ${why} (needs DescribeConfigs on the cluster)`,
      )
    }
    const listOf = (key: (typeof KEYS)[number]) =>
      (result.configs.find(({ name }) => name === key)?.value ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    const logDirs = listOf('log.dirs').length > 0 ? listOf('log.dirs') : listOf('log.dir')
    const processRoles = listOf('process.roles')
    const [named] = listOf('metadata.log.dir')
    const metadataLogDir = processRoles.length === 0 ? null : (named ?? logDirs[0] ?? null)
    return { kind: 'read', config: { logDirs, metadataLogDir, processRoles } }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return notRead(`the configuration of broker ${broker} is not known: ${error.message}`)
  }
}

function notRead(text: string): BrokerConfigRead {
  return { kind: 'notRead', text }
}
