import type { ScenarioFault } from '../scenario-schema.js'
import type { AnyResponse } from './api.js'

export type AnsweredFault = NonNullable<ScenarioFault['answered']>

const INDEX_FIELDS = ['partitionIndex', 'partitionId', 'partition'] as const
const NAME_FIELDS = ['name', 'topic'] as const
/** A partition and a topic that nobody asked for. */
const STRANGE_PARTITION = 31_999
const STRANGE_TOPIC = 'never-asked-for'

type Struct = Readonly<Record<string, unknown>>

/**
 * The answer with other partitions than were asked for, whatever RPC it is: a list of partitions is known by the field that holds
 * their number, a topic by such a list in it.
 */
export function reshapeAnswer(response: AnyResponse, how: AnsweredFault): AnyResponse {
  return mapLists(response as Struct, how) as AnyResponse
}

function mapLists(struct: Struct, how: AnsweredFault): Struct {
  return Object.fromEntries(Object.entries(struct).map(([key, value]) => [key, reshaped(value, how)]))
}

function reshaped(value: unknown, how: AnsweredFault): unknown {
  if (!Array.isArray(value)) return value
  const structs = value.filter(isStruct)
  if (structs.length === 0 || structs.length !== value.length) return value
  const [first] = structs
  if (first !== undefined && indexField(first) !== null) return partitionsAnswered(structs, how)
  const mapped = structs.map((one) => mapLists(one, how))
  const topic = mapped.find((one) => nameField(one) !== null && holdsPartitions(one))
  if (how !== 'strangers' || topic === undefined) return mapped
  const name = nameField(topic)
  return name === null ? mapped : [...mapped, { ...topic, [name]: STRANGE_TOPIC }]
}

function partitionsAnswered(partitions: readonly Struct[], how: AnsweredFault): readonly Struct[] {
  switch (how) {
    case 'fewer':
      return partitions.filter((_, at) => at % 2 === 1)
    case 'twice':
      return partitions.flatMap((one) => [one, one])
    case 'strangers': {
      const [first] = partitions
      const field = first === undefined ? null : indexField(first)
      return first === undefined || field === null
        ? partitions
        : [...partitions, { ...first, [field]: STRANGE_PARTITION }]
    }
  }
}

function holdsPartitions(struct: Struct): boolean {
  return Object.values(struct).some(
    (value) => Array.isArray(value) && isStruct(value[0]) && indexField(value[0]) !== null,
  )
}

function indexField(struct: Struct): string | null {
  return INDEX_FIELDS.find((field) => typeof struct[field] === 'number') ?? null
}

function nameField(struct: Struct): string | null {
  return NAME_FIELDS.find((field) => typeof struct[field] === 'string') ?? null
}

function isStruct(value: unknown): value is Struct {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
}
