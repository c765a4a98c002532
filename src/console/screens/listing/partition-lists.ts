import { byTopicPartition, partitionName } from '../../../cluster/snapshot.js'
import type { DiagnosedPartition, GroupId } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { Diagnosis } from '../../../recovery/diagnosis/diagnosis.js'
import { rollUpByTopic, type TopicRollUp } from '../../../recovery/diagnosis/topic-roll-up.js'
import type { Draft } from '../../../recovery/drafts/draft.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import type { ListState } from '../../state/list-state.js'
import { createRows, type Rows, type SortOrder } from '../../state/rows.js'
import type { ViewEntry } from '../../state/ui-state.js'
import { choiceText, lossText, lostAtLeast, partitionWords } from './partition-cells.js'

/** Which partitions a list is of. */
export interface ListScope {
  readonly group: GroupId | 'all'
  /** Only this topic's. */
  readonly topic?: string
  /** Only those with a replica on it. */
  readonly broker?: number
}

/** Marks of partitions are the same in every list of them. */
export const PARTITION_MARKS = 'partitions'

/** The parameters of a view of this scope. */
export function scopeParams({ group, topic, broker }: ListScope): Readonly<Record<string, string>> {
  return {
    group,
    ...(topic === undefined ? {} : { topic }),
    ...(broker === undefined ? {} : { broker: String(broker) }),
    marks: PARTITION_MARKS,
  }
}

export function scopeOf({ params }: ViewEntry): ListScope {
  return {
    group: (params.group ?? 'all') as GroupId | 'all',
    ...(params.topic === undefined ? {} : { topic: params.topic }),
    ...(params.broker === undefined ? {} : { broker: Number(params.broker) }),
  }
}

/** The lists of partitions, after filter and sort. Remembers the last answer for each scope. */
export interface PartitionLists {
  rows(data: ConsoleData, scope: ListScope, list: Pick<ListState, 'filter' | 'sort'>): Rows<DiagnosedPartition>
  topics(data: ConsoleData, scope: ListScope, list: Pick<ListState, 'filter' | 'sort'>): Rows<TopicRollUp>
}

const NONE: readonly DiagnosedPartition[] = []

const SORTS: readonly SortOrder<DiagnosedPartition>[] = [
  { id: 'group', label: 'internal first', compare: null },
  { id: 'name', label: 'by name', compare: byTopicPartition },
  { id: 'lost', label: 'most lost first', compare: (a, b) => lostOf(b) - lostOf(a) },
  { id: 'since', label: 'longest offline first', compare: (a, b) => a.since.at.getTime() - b.since.at.getTime() },
]

export function createPartitionLists(): PartitionLists {
  let draft: Draft | null = null
  let partitionRows = new Map<string, ReturnType<typeof createRows<DiagnosedPartition>>>()
  const topicRows = new Map<string, ReturnType<typeof createRows<TopicRollUp>>>()
  const narrowed = new WeakMap<readonly DiagnosedPartition[], Map<string, readonly DiagnosedPartition[]>>()
  const rolledUp = new WeakMap<readonly DiagnosedPartition[], readonly TopicRollUp[]>()

  function partitionsOf(diagnosis: Diagnosis | null, { group, topic, broker }: ListScope) {
    const all =
      diagnosis === null
        ? NONE
        : group === 'all'
          ? diagnosis.partitions
          : (diagnosis.groups.find(({ id }) => id === group)?.partitions ?? NONE)
    if (topic === undefined && broker === undefined) return all
    const found = narrowed.get(all) ?? new Map<string, readonly DiagnosedPartition[]>()
    narrowed.set(all, found)
    const key = `${topic} ${broker}`
    const passed =
      found.get(key) ??
      all.filter(
        (one) =>
          (topic === undefined || one.topic === topic) && (broker === undefined || one.state.replicas.includes(broker)),
      )
    found.set(key, passed)
    return passed
  }

  return {
    rows(data, scope, list) {
      // What was chosen by hand is a word that shows.
      if (data.draft !== draft) {
        draft = data.draft
        partitionRows = new Map()
      }
      const key = JSON.stringify(scope)
      const entries = draft?.entries
      const make =
        partitionRows.get(key) ??
        createRows<DiagnosedPartition>({
          key: partitionName,
          wordsKept: true,
          words: (partition) => words(partition, choiceText(entries?.get(partitionName(partition))?.choice)),
          sorts: SORTS,
        })
      partitionRows.set(key, make)
      return make(partitionsOf(data.diagnosis, scope), list)
    },
    topics(data, scope, list) {
      const key = JSON.stringify(scope)
      const make =
        topicRows.get(key) ??
        createRows<TopicRollUp>({
          key: ({ topic }) => topic,
          words: ({ topic, partitions, loss }) =>
            `${topic} ${wholeNumber(partitions.length)} ${loss === null ? '' : lossText(loss)}`,
          sorts: [
            { id: 'group', label: 'internal first', compare: null },
            { id: 'name', label: 'by name', compare: (a, b) => (a.topic < b.topic ? -1 : 1) },
            {
              id: 'many',
              label: 'most partitions first',
              compare: (a, b) => b.partitions.length - a.partitions.length,
            },
            {
              id: 'lost',
              label: 'most lost first',
              compare: (a, b) => (b.loss?.atLeast ?? -1) - (a.loss?.atLeast ?? -1),
            },
          ],
        })
      topicRows.set(key, make)
      const partitions = partitionsOf(data.diagnosis, scope)
      const loss = data.diagnosis?.groups.find(({ id }) => id === scope.group)?.loss ?? null
      const topics = rolledUp.get(partitions) ?? rollUpByTopic({ partitions, loss })
      rolledUp.set(partitions, topics)
      return make(topics, list)
    },
  }
}

/** Every word that shows on its row. */
function words(partition: DiagnosedPartition, choice: string | null): string {
  const own = partitionWords(partition)
  return choice === null ? own : `${own}  ${choice.toLowerCase()}`
}

/** Asked again and again while sorting. */
const known = new WeakMap<DiagnosedPartition, number>()

function lostOf(partition: DiagnosedPartition): number {
  const lost = known.get(partition) ?? lostAtLeast(partition) ?? -1
  known.set(partition, lost)
  return lost
}
