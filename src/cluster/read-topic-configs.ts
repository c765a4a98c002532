import { errorName } from '../protocol/error-codes.js'
import { DescribeConfigs, TOPIC_RESOURCE } from '../protocol/rpc/describe-configs.js'
import type { BrokerLink } from './connections.js'
import type { TopicConfig } from './snapshot.js'

const KEYS = [
  'min.insync.replicas',
  'unclean.leader.election.enable',
  'cleanup.policy',
  'remote.storage.enable',
] as const
/** Topics asked for in one request: some 250 bytes each come back. */
const TOPICS_PER_REQUEST = 2000

export interface TopicConfigsRead {
  readonly configs: ReadonlyMap<string, TopicConfig>
  /** Error names with the number of topics that had it. */
  readonly errors: ReadonlyMap<string, number>
}

/** @throws TransportError */
export async function readTopicConfigs(
  link: BrokerLink,
  topics: readonly string[],
  timeoutMs: number,
): Promise<TopicConfigsRead> {
  const configs = new Map<string, TopicConfig>()
  const errors = new Map<string, number>()
  for (let from = 0; from < topics.length; from += TOPICS_PER_REQUEST) {
    const resources = topics
      .slice(from, from + TOPICS_PER_REQUEST)
      .map((name) => ({ resourceType: TOPIC_RESOURCE, resourceName: name, configurationKeys: [...KEYS] }))
    const { body } = await link.request(DescribeConfigs, { resources }, { timeoutMs })
    for (const result of body.results) {
      if (result.errorCode !== 0) {
        const name = errorName(result.errorCode)
        errors.set(name, (errors.get(name) ?? 0) + 1)
        continue
      }
      const value = (key: (typeof KEYS)[number]) => result.configs.find(({ name }) => name === key)?.value ?? null
      const minInsync = value('min.insync.replicas')
      configs.set(result.resourceName, {
        minInsyncReplicas: minInsync === null ? null : Number(minInsync),
        uncleanLeaderElection: booleanOf(value('unclean.leader.election.enable')),
        cleanupPolicy: value('cleanup.policy'),
        remoteStorage: booleanOf(value('remote.storage.enable')),
      })
    }
  }
  return { configs, errors }
}

function booleanOf(text: string | null): boolean | null {
  return text === null ? null : text === 'true'
}
