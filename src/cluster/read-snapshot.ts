import pLimit from 'p-limit'
import { DescribeCluster } from '../protocol/rpc/describe-cluster.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { errorText } from '../text/error-text.js'
import type { SnapshotOptions } from './cluster.js'
import type { BrokerLink } from './connections.js'
import { hiddenTopicsProblem } from './hidden-topics.js'
import { readElr } from './read-elr.js'
import { readLogDirs } from './read-log-dirs.js'
import type { MetadataRead } from './read-metadata.js'
import { readTopicConfigs } from './read-topic-configs.js'
import { keepSame } from './same-reads.js'
import type { ClusterSession } from './session.js'
import { eachInSlices, sharedSlices } from './slices.js'
import {
  type Broker,
  type ClusterSnapshot,
  INTERNAL_TOPICS,
  type LogDir,
  type PartitionState,
  type Quorum,
  type ReadProblem,
  type TopicConfig,
} from './snapshot.js'

/** A broker that is in no metadata is given this long to answer: it is most likely gone. ms */
const PROBE_TIMEOUT_MS = 2_000
/** Brokers that are asked for all their directories at once: each answer takes memory for every replica it names. */
const BROKERS_AT_ONCE = 8
const DESCRIBE_CLUSTER_WITH_FENCED = 2

/**
 * Reads the cluster as it is now. One dead broker makes one problem, never an empty snapshot.
 * @throws NoBrokerReachableError, TransportError (the one broker that was reached broke off), ClusterChangedError
 */
export async function readSnapshot(session: ClusterSession, options: SnapshotOptions): Promise<ClusterSnapshot> {
  const problems: ReadProblem[] = []
  const [metadata, listed] = await Promise.all([session.metadata(null), listedBrokers(session)])
  // Known by now: metadata asked for it, and again through another broker if the first one fell silent.
  const quorum = options.quorum ? await readQuorumOf(session, problems) : null
  const view = await session.freshView()
  const states = metadata.topics.flatMap((topic) => topic.partitions)
  for (const topic of metadata.topics) {
    if (topic.errorCode !== 0) problems.push(topicProblem(topic.name, topic.errorCode))
  }
  const [brokers, elr, configs] = await Promise.all([
    brokersOf(session, metadata, listed, states),
    options.elr ? readElr(view.link, metadata, session.requestTimeoutMs) : null,
    options.configs
      ? readConfigs(view.link, metadata, session.requestTimeoutMs, problems)
      : new Map<string, TopicConfig>(),
  ])
  if (elr !== null) problems.push(...elr.problems)
  const answered = new Map(brokers.map((broker) => [broker.id, broker]))
  const onDisk = { names: new Set<string>(), brokers: new Set<number>() }
  const logDirs = options.logDirs
    ? await readAllLogDirs(session, answered, options.placements === true, problems, onDisk)
    : null
  const told = { names: onDisk.names, complete: onDisk.brokers.size === answered.size }
  const hidden = await hiddenTopicsProblem(view.link, metadata, told, session.requestTimeoutMs)
  if (hidden !== null) problems.push(hidden)
  for (const broker of answered.values()) {
    if (broker.state === 'down') problems.push(brokerProblem(broker))
  }
  const partitions: PartitionState[] = []
  await eachInSlices(
    states,
    sharedSlices,
    64,
    (state) => void partitions.push(elr === null ? state : elr.withElr(state)),
  )
  return {
    clusterId: metadata.clusterId,
    simulated: metadata.clusterId.startsWith('SIMULATED'),
    controller: metadata.controller,
    readAt: new Date(),
    brokers: [...answered.values()].sort((a, b) => a.id - b.id),
    partitions: await keepSame(options.previous?.partitions ?? [], partitions),
    internalTopics: new Set([
      ...INTERNAL_TOPICS,
      ...metadata.topics.filter((topic) => topic.internal).map((topic) => topic.name),
    ]),
    logDirs,
    topicConfigs: configs,
    quorum,
    problems,
  }
}

function topicProblem(topic: string, errorCode: number): ReadProblem {
  return { code: 'unreadable', broker: null, text: `topic ${topic}: metadata gave error ${errorCode}` }
}

function brokerProblem(broker: Broker): ReadProblem {
  const why = broker.error === null ? '' : ` (${broker.error})`
  return { code: 'brokerDown', broker: broker.id, text: `broker ${broker.id} is down: it does not answer${why}` }
}

async function readQuorumOf(session: ClusterSession, problems: ReadProblem[]): Promise<Quorum | null> {
  const read = await session.quorum()
  const view = await session.freshView()
  if (read.kind === 'noQuorum') {
    problems.push({
      code: 'noQuorum',
      broker: null,
      text: `no controller quorum: nothing can be elected until a majority of the controllers is up (${read.text})`,
    })
  } else if (view.stale !== null) {
    problems.push({ code: read.kind === 'notAllowed' ? 'permission' : 'staleView', broker: null, text: view.stale })
  }
  return read.kind === 'read' ? read.quorum : null
}

interface ListedBroker {
  readonly id: number
  readonly host: string
  readonly port: number
  readonly rack: string | null
}

/** DescribeCluster 2 lists fenced brokers, too, and stopped ones as fenced (4.4.0): the way to learn their addresses. */
async function listedBrokers(session: ClusterSession): Promise<ListedBroker[]> {
  try {
    const link = await session.connections.bootstrap(session.requestTimeoutMs)
    if ((await link.versionFor(DescribeCluster, session.requestTimeoutMs)) !== DESCRIBE_CLUSTER_WITH_FENCED) return []
    const { body } = await link.request(
      DescribeCluster,
      { includeClusterAuthorizedOperations: false, includeFencedBrokers: true },
      { timeoutMs: session.requestTimeoutMs },
    )
    return body.brokers.map(({ brokerId, host, port, rack }) => ({ id: brokerId, host, port, rack }))
  } catch (error) {
    if (error instanceof TransportError) return []
    throw error
  }
}

/** Brokers of the metadata are up; any other one that is known of is asked: it is fenced if it answers, else down. */
async function brokersOf(
  session: ClusterSession,
  metadata: MetadataRead,
  listed: readonly ListedBroker[],
  partitions: readonly PartitionState[],
): Promise<Broker[]> {
  const up = new Map(metadata.brokers.map((broker) => [broker.id, broker]))
  const missing = new Map<number, ListedBroker | null>()
  for (const broker of listed) if (!up.has(broker.id)) missing.set(broker.id, broker)
  // Equal lists are one object: each is looked at once.
  for (const replicas of new Set(partitions.map((state) => state.replicas))) {
    for (const id of replicas) if (!up.has(id) && !missing.has(id)) missing.set(id, null)
  }
  session.connections.learn([...missing.values()].filter((broker) => broker !== null))
  const probed = await Promise.all([...missing].map(([id, broker]) => probe(session, id, broker)))
  for (const broker of probed) session.setBrokerState(broker.id, broker.state)
  return [...[...up.values()].map((broker): Broker => ({ ...broker, state: 'up', error: null })), ...probed]
}

async function probe(session: ClusterSession, id: number, listed: ListedBroker | null): Promise<Broker> {
  const link = session.connections.link(id)
  const known = { id, host: listed?.host ?? null, port: listed?.port ?? null, rack: listed?.rack ?? null }
  if (link === null) return { ...known, state: 'down', error: 'its address is in no list of the cluster' }
  const address = { host: known.host ?? link.address.host, port: known.port ?? link.address.port }
  try {
    await link.connection(Math.min(PROBE_TIMEOUT_MS, session.requestTimeoutMs))
    const identity = await session.identity(id, link)
    if (identity.kind === 'wrong') return { ...known, ...address, state: 'down', error: identity.text }
    return { ...known, ...address, state: 'fenced', error: null }
  } catch (error) {
    return { ...known, ...address, state: 'down', error: errorText(error) }
  }
}

/** Topics of which something is not as it should be: a partition without a leader, or with fewer in-sync replicas. */
function troubledTopics(metadata: MetadataRead): string[] {
  return metadata.topics
    .filter((topic) => topic.partitions.some((p) => p.leader === null || p.isr.length < p.replicas.length))
    .map((topic) => topic.name)
}

async function readConfigs(
  link: BrokerLink,
  metadata: MetadataRead,
  timeoutMs: number,
  problems: ReadProblem[],
): Promise<ReadonlyMap<string, TopicConfig>> {
  const topics = troubledTopics(metadata)
  if (topics.length === 0) return new Map()
  try {
    const { configs, errors } = await readTopicConfigs(link, topics, timeoutMs)
    for (const [name, count] of errors) {
      problems.push({
        code: name.includes('AUTHORIZATION') ? 'permission' : 'unreadable',
        broker: null,
        text: `the configuration of ${count} topics could not be read: ${name} (needs DescribeConfigs on the topics)`,
      })
    }
    return configs
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    problems.push({ code: 'unreadable', broker: null, text: `topic configurations: ${error.message}` })
    return new Map()
  }
}

async function readAllLogDirs(
  session: ClusterSession,
  brokers: Map<number, Broker>,
  placements: boolean,
  problems: ReadProblem[],
  onDisk: { readonly names: Set<string>; readonly brokers: Set<number> },
): Promise<LogDir[]> {
  const limit = pLimit(BROKERS_AT_ONCE)
  // All at once, for that is small: a silent broker takes its whole deadline, and the others are not to wait behind it.
  const identities = new Map<number, ReturnType<ClusterSession['identity']>>()
  for (const { id, state } of brokers.values()) {
    const link = session.connections.link(id)
    if (state === 'down' || link === null) continue
    const identity = session.identity(id, link)
    identity.catch(() => {})
    identities.set(id, identity)
  }
  await Promise.allSettled(identities.values())
  const read = await Promise.all(
    [...brokers.values()].map((broker) =>
      limit(async (): Promise<LogDir[]> => {
        const link = session.connections.link(broker.id)
        if (broker.state === 'down' || link === null) return []
        if (session.timeIsUp) {
          const text = `broker ${broker.id}: its log directories were not asked for, reading has taken too long`
          problems.push({ code: 'unreadable', broker: broker.id, text })
          return []
        }
        try {
          const identity = await (identities.get(broker.id) ?? session.identity(broker.id, link))
          if (identity.kind === 'wrong') {
            problems.push({ code: 'wrongBroker', broker: broker.id, text: identity.text })
            brokers.set(broker.id, { ...broker, error: identity.text })
            return []
          }
          if (identity.kind === 'unconfirmed') {
            problems.push({ code: 'permission', broker: broker.id, text: identity.text })
          }
          const result = await readLogDirs(link, broker.id, null, placements, session.requestTimeoutMs)
          if (result.kind === 'read') {
            onDisk.brokers.add(broker.id)
            for (const topic of result.topics) onDisk.names.add(topic)
            return [...result.logDirs]
          }
          const text =
            result.kind === 'notAllowed'
              ? `broker ${broker.id}: log directories are hidden (needs Describe on the cluster)`
              : `broker ${broker.id}: ${result.text}`
          problems.push({ code: result.kind === 'notAllowed' ? 'permission' : 'unreadable', broker: broker.id, text })
          return []
        } catch (error) {
          if (!(error instanceof TransportError)) throw error
          problems.push({ code: 'unreadable', broker: broker.id, text: `broker ${broker.id}: ${error.message}` })
          brokers.set(broker.id, { ...broker, error: error.message })
          return []
        }
      }),
    ),
  )
  return read.flat()
}
