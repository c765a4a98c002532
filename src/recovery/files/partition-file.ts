import type { JSONPath } from 'jsonc-parser'
import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { isJsonObject, type JsonDocument, pathText, readStrictJson, valueText } from './strict-json.js'

/** Kafka's ids are int32. */
const MAX_ID = 2_147_483_647
/** org.apache.kafka.common.internals.Topic: these characters, at most 249 of them, and neither `.` nor `..`. */
const TOPIC_NAME = /^[A-Za-z0-9._-]{1,249}$/

/** Fields of Kafka's own files (kafka-reassign-partitions) that mean nothing here: passed over in silence. */
const SILENTLY_IGNORED: ReadonlySet<string> = new Set(['version', 'replicas', 'log_dirs'])
const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['partitions'])
const ENTRY_FIELDS: ReadonlySet<string> = new Set(['topic', 'partition', 'partitions', 'designatedLeader'])

export interface NamedPartition extends TopicPartition {
  /** Null: the file names none. */
  readonly designatedLeader: number | null
  /** Where the file names it: `partitions[1].partitions[0]`. */
  readonly path: string
}

export interface PartitionFile {
  /** In the file's order; no partition twice, at least one. */
  readonly partitions: readonly NamedPartition[]
  /** Fields that were passed over and that nobody expects there, each name once. */
  readonly extraFields: readonly string[]
}

export function isTopicName(name: string): boolean {
  return TOPIC_NAME.test(name) && name !== '.' && name !== '..'
}

/**
 * Reads a list of partitions in any of the forms that operators have at hand: KIP-1275's (`"partitions": [0, 3]` in each
 * entry), kafka-leader-election's (`"partition": 0`), kafka-reassign-partitions', and KIP-1275's output with
 * `designatedLeader`. Everything that is malformed is an InputFileError that names the place; nothing is guessed.
 */
export function parsePartitionFile(bytes: Uint8Array, file: string): PartitionFile {
  return partitionsOf(readStrictJson(bytes, file))
}

/** The same, of a document that was read already. */
export function partitionsOf(document: JsonDocument): PartitionFile {
  const { value } = document
  const expected = 'expected {"partitions": [{"topic": "foo", "partitions": [0, 3]}]}'
  if (!isJsonObject(value)) throw document.errorAt([], `${expected}, found ${valueText(value)}`)
  const list = value.partitions
  if (list === undefined) throw document.errorAt([], `"partitions" is missing, ${expected}`)
  if (!Array.isArray(list)) throw document.errorAt(['partitions'], `a list is expected, found ${valueText(list)}`)
  if (list.length === 0) throw document.errorAt(['partitions'], 'the list is empty, name at least one partition')

  const extraFields = new Set(unexpectedFields(value, DOCUMENT_FIELDS))
  const partitions: NamedPartition[] = []
  const places = new Map<string, JSONPath>()
  list.forEach((entry: unknown, index) => {
    for (const [partition, path] of entryPartitions(document, entry, ['partitions', index])) {
      const name = partitionName(partition)
      const before = places.get(name)
      if (before !== undefined) {
        throw document.errorAt(
          path,
          `${name} was already named at ${document.place(before)} (${pathText(before)}), name each partition once`,
        )
      }
      places.set(name, path)
      partitions.push({ ...partition, path: pathText(path) })
    }
    for (const field of unexpectedFields(entry as object, ENTRY_FIELDS)) extraFields.add(field)
  })
  return { partitions, extraFields: [...extraFields] }
}

type EntryPartition = [partition: Omit<NamedPartition, 'path'>, path: JSONPath]

function entryPartitions(document: JsonDocument, entry: unknown, at: JSONPath): EntryPartition[] {
  if (!isJsonObject(entry)) {
    throw document.errorAt(at, `an object with "topic" and "partitions" is expected, found ${valueText(entry)}`)
  }
  const topic = entry.topic
  if (typeof topic !== 'string') {
    throw document.errorAt(
      topic === undefined ? at : [...at, 'topic'],
      topic === undefined ? '"topic" is missing' : `a topic name is expected, found ${valueText(topic)}`,
    )
  }
  if (!isTopicName(topic)) {
    throw document.errorAt(
      [...at, 'topic'],
      `${valueText(topic)} is no topic name: 1 to 249 of the characters A-Z a-z 0-9 . _ -`,
    )
  }
  const { partition, partitions, designatedLeader } = entry
  if (partition !== undefined && partitions !== undefined) {
    throw document.errorAt(at, 'both "partition" and "partitions" are given, one of them is expected')
  }
  if (partition !== undefined) {
    return [
      [
        {
          topic,
          partition: idAt(document, [...at, 'partition'], partition, 'a partition number'),
          designatedLeader:
            designatedLeader === undefined
              ? null
              : idAt(document, [...at, 'designatedLeader'], designatedLeader, 'a broker id'),
        },
        [...at, 'partition'],
      ],
    ]
  }
  if (partitions === undefined) throw document.errorAt(at, '"partition" or "partitions" is missing')
  if (designatedLeader !== undefined) {
    throw document.errorAt([...at, 'designatedLeader'], 'goes with "partition", not with a list of "partitions"')
  }
  const listPath: JSONPath = [...at, 'partitions']
  if (!Array.isArray(partitions)) {
    throw document.errorAt(listPath, `a list of partition numbers is expected, found ${valueText(partitions)}`)
  }
  if (partitions.length === 0) throw document.errorAt(listPath, 'the list is empty, name at least one partition')
  return partitions.map((number: unknown, index): EntryPartition => {
    const path = [...listPath, index]
    return [{ topic, partition: idAt(document, path, number, 'a partition number'), designatedLeader: null }, path]
  })
}

function idAt(document: JsonDocument, path: JSONPath, value: unknown, what: string): number {
  if (typeof value !== 'number' || document.isWrittenAsFraction(path) || value < 0 || Object.is(value, -0)) {
    throw document.errorAt(path, `${what} is expected (an integer from 0 to ${MAX_ID}), found ${valueText(value)}`)
  }
  if (value > MAX_ID) throw document.errorAt(path, `${what} is at most ${MAX_ID}, found ${value}`)
  return value
}

function unexpectedFields(object: object, understood: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((field) => !understood.has(field) && !SILENTLY_IGNORED.has(field))
}
