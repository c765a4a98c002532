import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { counted, numberText } from './words.js'

/** Up to so many partitions are listed one by one; of more, groups are shown and some examples. */
export const LISTED = 20
export const EXAMPLES = 10
/** Different texts of one code; beyond them one stands for the rest. */
const TEXTS = 3

/** What is said about one partition. */
export interface Told extends TopicPartition {
  readonly code: string
  readonly text: string
  /** The example is the one with the most of it (offsets lost); absent: the first. */
  readonly weight?: number
}

/** Whether to list each of so many, `all` being --all. */
export function listsEach(number: number, all: boolean, limit = LISTED): boolean {
  return all || number <= limit
}

/** `orders-1 orders-2 and 1,190 more`. */
export function namesText(partitions: readonly TopicPartition[], all = false, limit = EXAMPLES): string {
  const shown = listsEach(partitions.length, all, limit) ? partitions : partitions.slice(0, limit)
  const rest = partitions.length - shown.length
  return [...shown.map(partitionName), ...(rest === 0 ? [] : [`and ${counted(rest, 'more', 'more')}`])].join(' ')
}

/** By code, then by text: how many, and which for instance. The most frequent first. */
export function groupedLines(told: readonly Told[]): string[] {
  return [...by(told, ({ code }) => code)].flatMap(([code, same]) => {
    const texts = [...by(same, generalText)]
    if (texts.length === 1 || texts.length <= TEXTS) {
      return texts.map(
        ([text, some]) => `${code}: ${counted(some.length, 'partition')}: ${text} (${namesText(some, false, 3)})`,
      )
    }
    const example = same.reduce((most, one) => ((one.weight ?? 0) > (most.weight ?? 0) ? one : most))
    const which = example.weight === undefined ? 'for instance' : 'the most on'
    return [`${code}: ${counted(same.length, 'partition')}, ${which} ${partitionName(example)}: ${example.text}`]
  })
}

/** `noCandidate 50, contested 3`. */
export function codesText(told: readonly Pick<Told, 'code'>[]): string {
  return [...by(told, ({ code }) => code)].map(([code, same]) => `${code} ${numberText(same.length)}`).join(', ')
}

/** By topic, the one with the most first. */
export function byTopic<T extends TopicPartition>(partitions: readonly T[]): [topic: string, partitions: T[]][] {
  return by(partitions, ({ topic }) => topic)
}

/** Some of many, from every topic in turn, in their order. */
export function examplesOf<T extends TopicPartition>(partitions: readonly T[], limit = EXAMPLES): T[] {
  const topics = byTopic(partitions)
  const chosen = new Set<T>()
  for (let round = 0; chosen.size < Math.min(limit, partitions.length); round += 1) {
    for (const [, some] of topics) {
      const one = some[round]
      if (one !== undefined && chosen.size < limit) chosen.add(one)
    }
  }
  return partitions.filter((one) => chosen.has(one))
}

/** Its own name in a text must not make two of what is one. */
function generalText({ text, topic, partition }: Told): string {
  return text.replaceAll(partitionName({ topic, partition }), 'TOPIC-PARTITION')
}

function by<T>(list: readonly T[], key: (one: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(key(one))
    if (group === undefined) groups.set(key(one), [one])
    else group.push(one)
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}
