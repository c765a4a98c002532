import { ErrorCode } from '../protocol/error-codes.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { BrokerLink } from './connections.js'
import { type MetadataRead, readMetadata } from './read-metadata.js'
import { NOBODYS_TOPIC } from './read-permissions.js'
import type { ReadProblem } from './snapshot.js'

/** Brokers list it among their directories, and never show it in the metadata. */
const NEVER_SHOWN = '__cluster_metadata'
const NAMED_AT_MOST = 5

/** What the log directories of the brokers told of topics. */
export interface TopicsOnDisk {
  readonly names: ReadonlySet<string>
  /** Every broker told its own. */
  readonly complete: boolean
}

/**
 * Metadata leaves out, without a word, topics that the user may not describe (measured on 4.4.0): their partitions would pass for
 * healthy. But log directories list every topic (that needs DESCRIBE on the cluster alone), and a hidden one that is asked for by
 * name is refused with 29, where one that is just being deleted is unknown. Where a broker is down or its directories are not told, a name that
 * nobody has shows whether there may be more.
 */
export async function hiddenTopicsProblem(
  link: BrokerLink,
  { topics }: Pick<MetadataRead, 'topics'>,
  { names, complete }: TopicsOnDisk,
  timeoutMs: number,
): Promise<ReadProblem | null> {
  const shown = new Set(topics.map(({ name }) => name))
  const asked = [...names].filter((name) => !shown.has(name) && name !== NEVER_SHOWN)
  if (!complete) asked.push(NOBODYS_TOPIC)
  if (asked.length === 0) return null
  const refused = new Set(await refusedTopics(link, asked, timeoutMs))
  if (refused.size === 0) return null
  const mayBe = refused.delete(NOBODYS_TOPIC)
  const hidden = [...refused].sort()
  const listed = `${hidden.slice(0, NAMED_AT_MOST).join(', ')}${hidden.length > NAMED_AT_MOST ? ', ...' : ''}`
  const known = hidden.length === 1 ? `1 topic is hidden: ${listed}` : `${hidden.length} topics are hidden: ${listed}`
  const what = hidden.length === 0 ? 'topics may be hidden' : mayBe ? `at least ${known}` : known
  return {
    code: 'hiddenTopics',
    broker: null,
    text: `${what}; how they are is not known (needs Describe on the topics)`,
  }
}

async function refusedTopics(link: BrokerLink, names: readonly string[], timeoutMs: number): Promise<string[]> {
  try {
    const { topics } = await readMetadata(link, names, timeoutMs)
    return topics.filter(({ errorCode }) => errorCode === ErrorCode.TOPIC_AUTHORIZATION_FAILED).map(({ name }) => name)
  } catch (error) {
    if (error instanceof TransportError) return []
    throw error
  }
}
