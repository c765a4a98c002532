import { type PartitionAnswer, RequestFailedError } from '../../cluster/cluster.js'
import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'

/**
 * What came of a writing request for one partition, as far as the answer tells. None of them proves what the cluster did:
 * error 0 was seen where nothing was done (measured on 4.4.0), a lost answer may hide a success.
 * done: error 0. refused: an error that will not go away. again: a transient error. unsure: no answer, may be carried out.
 * notSent: it never left.
 */
export interface WriteResult {
  readonly kind: 'done' | 'refused' | 'again' | 'unsure' | 'notSent'
  /** Kafka's name of the error, or a word of our own; null for done. */
  readonly code: string | null
  /** One line; null for done. */
  readonly text: string | null
}

/** Sends one request and tells its result for every partition that it named, also if the answer leaves some out. Never throws. */
export async function sendWrite(
  named: readonly TopicPartition[],
  send: () => Promise<readonly PartitionAnswer[]>,
): Promise<ReadonlyMap<string, WriteResult>> {
  try {
    const answers = new Map((await send()).map((answer) => [partitionName(answer), resultOf(answer)]))
    const missing: WriteResult = { kind: 'unsure', code: 'noAnswer', text: 'the answer left it out' }
    return new Map(
      named.map((partition) => [partitionName(partition), answers.get(partitionName(partition)) ?? missing]),
    )
  } catch (error) {
    const result = failureOf(error)
    return new Map(named.map((partition) => [partitionName(partition), result]))
  }
}

function resultOf({ code, name, message, retriable }: PartitionAnswer): WriteResult {
  if (code === 0) return { kind: 'done', code: null, text: null }
  const text = message === null ? name : `${name}: ${message}`
  if (MAY_BE_DONE.has(name)) return { kind: 'unsure', code: name, text }
  return { kind: retriable ? 'again' : 'refused', code: name, text }
}

/** Errors that say nothing about whether it was carried out. */
const MAY_BE_DONE: ReadonlySet<string> = new Set(['REQUEST_TIMED_OUT', 'NETWORK_EXCEPTION', 'UNKNOWN_SERVER_ERROR'])

function failureOf(error: unknown): WriteResult {
  const text = errorText(error)
  if (!(error instanceof RequestFailedError)) return { kind: 'unsure', code: 'internal', text }
  const code = error.code ?? error.reason
  if (error.sent) return { kind: error.reason === 'errorCode' && !error.retriable ? 'refused' : 'unsure', code, text }
  return { kind: error.retriable ? 'notSent' : 'refused', code, text }
}
