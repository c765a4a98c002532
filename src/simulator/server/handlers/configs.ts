import { ErrorCode } from '../../../protocol/error-codes.js'
import { BROKER_RESOURCE, DescribeConfigs, TOPIC_RESOURCE } from '../../../protocol/rpc/describe-configs.js'
import { IncrementalAlterConfigs } from '../../../protocol/rpc/incremental-alter-configs.js'
import { type ApiError, apiError } from '../../errors.js'
import type { SimulatedBroker } from '../../model/broker.js'
import type { SimulatedCluster } from '../../model/cluster.js'
import { api, type RequestContext } from '../api.js'
import { BROKER_CONFIGS, CONFIG_TYPE_IDS, type ConfigType, type KnownConfig, TOPIC_CONFIGS } from '../config-catalog.js'
import { HOST } from './metadata.js'

/** Where a value comes from (ConfigSource on the wire). */
const DYNAMIC_TOPIC = 1
const DYNAMIC_BROKER = 2
const DYNAMIC_DEFAULT_BROKER = 3
const STATIC_BROKER = 4
const DEFAULT = 5

interface ConfigEntry {
  readonly name: string
  readonly value: string
  readonly source: number
  readonly readOnly: boolean
  readonly type: ConfigType
}

function topicEntries(cluster: SimulatedCluster, own: ReadonlyMap<string, string>): ConfigEntry[] {
  const ofAll = cluster.brokerConfigs.get('') ?? new Map<string, string>()
  const known = new Set(TOPIC_CONFIGS.map(({ name }) => name))
  const entry = ({ name, fallback, type }: KnownConfig): ConfigEntry => {
    const set = own.get(name)
    if (set !== undefined) return { name, value: set, source: DYNAMIC_TOPIC, readOnly: false, type }
    const inherited = ofAll.get(name)
    if (inherited === undefined) return { name, value: fallback, source: DEFAULT, readOnly: false, type }
    return { name, value: inherited, source: DYNAMIC_DEFAULT_BROKER, readOnly: false, type }
  }
  const others = [...own]
    .filter(([name]) => !known.has(name))
    .map(([name]): KnownConfig => ({ name, fallback: '', type: 'STRING' }))
  return [...TOPIC_CONFIGS, ...others].map(entry)
}

function brokerEntries(cluster: SimulatedCluster, broker: SimulatedBroker): ConfigEntry[] {
  const { voters } = cluster.quorum
  const isController = voters.includes(broker.id)
  const fixed: readonly [name: string, value: string, type: ConfigType][] = [
    ['advertised.listeners', `PLAINTEXT://${HOST}:${broker.port}`, 'LIST'],
    ['broker.id', String(broker.id), 'INT'],
    ['controller.quorum.voters', voters.map((id) => `${id}@${HOST}:0`).join(','), 'LIST'],
    ['listeners', `PLAINTEXT://${HOST}:${broker.port}`, 'LIST'],
    ['log.dirs', broker.logDirs.join(','), 'STRING'],
    ['metadata.log.dir', broker.metadataLogDir, 'STRING'],
    ['node.id', String(broker.id), 'INT'],
    ['process.roles', isController ? 'broker,controller' : 'broker', 'LIST'],
    ...(broker.rack === null ? [] : [['broker.rack', broker.rack, 'STRING'] as [string, string, ConfigType]]),
  ]
  const own = cluster.brokerConfigs.get(String(broker.id)) ?? new Map<string, string>()
  const ofAll = cluster.brokerConfigs.get('') ?? new Map<string, string>()
  return [
    ...fixed.map(([name, value, type]) => ({ name, value, type, source: STATIC_BROKER, readOnly: true })),
    ...BROKER_CONFIGS.map(({ name, fallback, type }): ConfigEntry => {
      const set = own.get(name)
      if (set !== undefined) return { name, value: set, source: DYNAMIC_BROKER, readOnly: false, type }
      const inherited = ofAll.get(name)
      const source = inherited === undefined ? DEFAULT : DYNAMIC_DEFAULT_BROKER
      return { name, value: inherited ?? fallback, source, readOnly: false, type }
    }),
  ]
}

/** The entries of a resource, or why there are none. A broker tells of itself alone. */
function entriesOf({ cluster, broker }: RequestContext, resourceType: number, name: string): ConfigEntry[] | ApiError {
  if (resourceType === TOPIC_RESOURCE) {
    const topic = cluster.topics.get(name)
    return topic === undefined ? apiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION) : topicEntries(cluster, topic.config)
  }
  if (resourceType !== BROKER_RESOURCE) {
    return apiError(ErrorCode.INVALID_REQUEST, `Unsupported resource type: ${resourceType}`)
  }
  if (name === '') {
    return [...(cluster.brokerConfigs.get('') ?? [])].map(([key, value]) => ({
      name: key,
      value,
      source: DYNAMIC_DEFAULT_BROKER,
      readOnly: false,
      type: 'STRING',
    }))
  }
  if (!/^-?\d+$/.test(name)) {
    return apiError(ErrorCode.INVALID_REQUEST, `Broker id must be an integer, but it is: ${name}`)
  }
  // How a client finds out who is at the other end (measured).
  if (Number(name) !== broker.id) {
    return apiError(
      ErrorCode.INVALID_REQUEST,
      `Unexpected broker id, expected ${broker.id} or empty string, but received ${name}`,
    )
  }
  return brokerEntries(cluster, broker)
}

function faultOf(context: RequestContext, resourceType: number, name: string): number {
  if (resourceType === TOPIC_RESOURCE) return context.faultFor(name, -1)
  const allowed = context.cluster.authorizer.allowsOnCluster('DESCRIBE_CONFIGS')
  return allowed ? ErrorCode.NONE : ErrorCode.CLUSTER_AUTHORIZATION_FAILED
}

const AUTHORIZATION_FAILED: ReadonlySet<number> = new Set([
  ErrorCode.TOPIC_AUTHORIZATION_FAILED,
  ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
])

export const describeConfigs = api({
  rpc: DescribeConfigs,
  needs: { topic: 'DESCRIBE_CONFIGS' },
  handle(request, context) {
    const judged = request.resources.map((resource) => ({
      ...resource,
      fault: faultOf(context, resource.resourceType, resource.resourceName),
    }))
    // What is not allowed comes behind the rest (measured on 4.4.0).
    const refused = judged.filter(({ fault }) => AUTHORIZATION_FAILED.has(fault))
    const ordered = [...judged.filter((resource) => !refused.includes(resource)), ...refused]
    const results = ordered.map(({ resourceType, resourceName, configurationKeys, fault }) => {
      const found = fault === ErrorCode.NONE ? entriesOf(context, resourceType, resourceName) : apiError(fault)
      if (!Array.isArray(found)) return noConfigs(resourceType, resourceName, found)
      const wanted = configurationKeys === null ? null : new Set(configurationKeys)
      const configs = found
        .filter(({ name }) => wanted === null || wanted.has(name))
        .map(({ name, value, source, readOnly, type }) => ({
          name,
          value,
          readOnly,
          configSource: source,
          isSensitive: false,
          synonyms: request.includeSynonyms ? [{ name, value, source }] : [],
          configType: CONFIG_TYPE_IDS[type],
        }))
      return { errorCode: ErrorCode.NONE, errorMessage: null, resourceType, resourceName, configs }
    })
    return { throttleTimeMs: 0, results }
  },
  refuse: (request, error) => ({
    throttleTimeMs: 0,
    results: request.resources.map(({ resourceType, resourceName }) => noConfigs(resourceType, resourceName, error)),
  }),
})

function noConfigs(resourceType: number, resourceName: string, { code, message }: ApiError) {
  return { errorCode: code, errorMessage: message, resourceType, resourceName, configs: [] }
}

const SET = 0
const DELETE = 1
const APPEND = 2
const SUBTRACT = 3

function applyOperation(config: Map<string, string>, name: string, operation: number, value: string | null): void {
  const items = (config.get(name) ?? '').split(',').filter((item) => item !== '')
  switch (operation) {
    case SET:
      config.set(name, value ?? '')
      return
    case DELETE:
      config.delete(name)
      return
    case APPEND:
      config.set(name, [...items, ...(value ?? '').split(',')].join(','))
      return
    case SUBTRACT: {
      const gone = (value ?? '').split(',')
      config.set(name, items.filter((item) => !gone.includes(item)).join(','))
    }
  }
}

export const incrementalAlterConfigs = api({
  rpc: IncrementalAlterConfigs,
  forwarded: true,
  needs: { topic: 'ALTER_CONFIGS' },
  handle(request, { cluster, faultFor }) {
    const responses = request.resources.map(({ resourceType, resourceName, configs }) => {
      const result = (error: ApiError) => ({
        errorCode: error.code,
        errorMessage: error.message,
        resourceType,
        resourceName,
      })
      if (resourceType === TOPIC_RESOURCE) {
        const fault = faultFor(resourceName, -1)
        if (fault !== ErrorCode.NONE) return result(apiError(fault))
      } else if (!cluster.authorizer.allowsOnCluster('ALTER_CONFIGS')) {
        return result(apiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
      }
      let target: Map<string, string> | undefined
      if (resourceType === TOPIC_RESOURCE) target = cluster.topics.get(resourceName)?.config
      else if (resourceType === BROKER_RESOURCE && (resourceName === '' || cluster.brokers.has(Number(resourceName)))) {
        target = cluster.brokerConfigs.get(resourceName) ?? new Map()
        cluster.brokerConfigs.set(resourceName, target)
      }
      if (target === undefined) return result(apiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
      if (!request.validateOnly) {
        for (const { name, configOperation, value } of configs) applyOperation(target, name, configOperation, value)
        cluster.recordMetadata()
      }
      return result({ code: ErrorCode.NONE, message: null })
    })
    return { throttleTimeMs: 0, responses }
  },
  refuse: (request, { code, message }) => ({
    throttleTimeMs: 0,
    responses: request.resources.map(({ resourceType, resourceName }) => ({
      errorCode: code,
      errorMessage: message,
      resourceType,
      resourceName,
    })),
  }),
})
