import type { AnyRpc } from '../../../src/protocol/schema/rpc.js'
import { type Fields, type WireShape, ZERO_UUID } from '../../../src/protocol/schema/types.js'
import {
  type FieldDefinition,
  type MessageDefinition,
  type RpcDefinition,
  versionWithin,
} from './message-definitions.js'

/** One field in one version, told the same way for both sides, so that comparing is comparing text. */
interface FieldLayout {
  readonly name: string
  readonly type: string
  /** Of a struct, or of an array of structs. */
  readonly fields: Layout | null
  /** Undefined: ours has none (an encoder must give the value). */
  readonly fallback: unknown
  /** Kafka's field may be null and names no default: our null, "not told", is as good as its empty value. */
  readonly nullIsFallback: boolean
}
interface Layout {
  /** In the order on the wire. */
  readonly plain: readonly FieldLayout[]
  readonly tagged: ReadonlyMap<number, FieldLayout>
}

/**
 * Every difference between our schema of an RPC and Kafka's definition of it, over the versions that both have; none: empty.
 * With `wholeRange`, a version of ours that Kafka does not have is a difference, too.
 */
export function differences(ours: AnyRpc, theirs: RpcDefinition, { wholeRange }: { wholeRange: boolean }): string[] {
  const found: string[] = []
  if (ours.apiKey !== theirs.request.apiKey)
    found.push(`${ours.name}: api key ${ours.apiKey}, Kafka's is ${theirs.request.apiKey}`)
  for (let version = ours.versions[0]; version <= ours.versions[1]; version++) {
    const where = `${ours.name} ${version}`
    if (!versionWithin(version, theirs.request.validVersions)) {
      if (wholeRange) found.push(`${where}: Kafka has only ${theirs.request.validVersions}`)
      continue
    }
    for (const kind of ['request', 'response'] as const) {
      const message = theirs[kind]
      if (version >= ours.flexibleFrom !== versionWithin(version, message.flexibleVersions)) {
        found.push(`${where} ${kind}: flexible from ${ours.flexibleFrom}, Kafka's in ${message.flexibleVersions}`)
      }
      compare(
        `${where} ${kind}`,
        ourLayout(ours[kind] as Fields, version),
        theirLayout(message, message.fields, version),
        found,
      )
    }
  }
  return found
}

/** Versions of ours that this Kafka has, too. */
export function commonVersions(ours: AnyRpc, theirs: RpcDefinition): number {
  const [min, max] = ours.versions
  return Array.from({ length: max - min + 1 }, (_, n) => min + n).filter((version) =>
    versionWithin(version, theirs.request.validVersions),
  ).length
}

function compare(where: string, ours: Layout, theirs: Layout, found: string[]): void {
  const names = (fields: readonly FieldLayout[]) => fields.map(({ name }) => name).join(', ')
  if (names(ours.plain) !== names(theirs.plain)) {
    found.push(`${where}: fields [${names(ours.plain)}], Kafka's are [${names(theirs.plain)}]`)
  }
  for (const field of ours.plain) {
    const same = theirs.plain.find(({ name }) => name === field.name)
    if (same !== undefined) compareField(`${where} ${field.name}`, field, same, found)
  }
  for (const tag of new Set([...ours.tagged.keys(), ...theirs.tagged.keys()])) {
    const [our, their] = [ours.tagged.get(tag), theirs.tagged.get(tag)]
    if (our === undefined || their === undefined || our.name !== their.name) {
      found.push(`${where}: tag ${tag} is ${our?.name ?? 'nothing'}, Kafka's is ${their?.name ?? 'nothing'}`)
    } else {
      compareField(`${where} ${our.name}`, our, their, found)
    }
  }
}

function compareField(where: string, ours: FieldLayout, theirs: FieldLayout, found: string[]): void {
  if (ours.type !== theirs.type) found.push(`${where}: ${ours.type}, Kafka's is ${theirs.type}`)
  const notTold = ours.fallback === null && theirs.nullIsFallback
  if (ours.fallback !== undefined && !notTold && text(ours.fallback) !== text(theirs.fallback)) {
    found.push(`${where}: fallback ${text(ours.fallback)}, Kafka's is ${text(theirs.fallback)}`)
  }
  if (ours.fields !== null && theirs.fields !== null) compare(where, ours.fields, theirs.fields, found)
}

function ourLayout(fields: Fields, version: number): Layout {
  const plain: FieldLayout[] = []
  const tagged = new Map<number, FieldLayout>()
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'versioned') {
      plain.push({ name, ...ourType(field, version), fallback: undefined, nullIsFallback: false })
      continue
    }
    if (version < field.from || version > field.to) continue
    const layout = { name, ...ourType(field.type, version), fallback: field.fallback as unknown, nullIsFallback: false }
    if (field.tag === null) plain.push(layout)
    else tagged.set(field.tag, layout)
  }
  return { plain, tagged }
}

function ourType(type: WireShape, version: number): { type: string; fields: Layout | null } {
  switch (type.kind) {
    case 'nullable': {
      const inner = ourType(type.of, version)
      return version >= type.nullableFrom ? { ...inner, type: `${inner.type}?` } : inner
    }
    case 'array': {
      const inner = ourType(type.of, version)
      return { ...inner, type: `[]${inner.type}` }
    }
    case 'struct':
      return { type: 'struct', fields: ourLayout(type.fields, version) }
    default:
      return { type: type.kind, fields: null }
  }
}

function theirLayout(message: MessageDefinition, fields: readonly FieldDefinition[], version: number): Layout {
  const plain: FieldLayout[] = []
  const tagged = new Map<number, FieldLayout>()
  for (const field of fields) {
    if (!versionWithin(version, field.versions)) continue
    if (field.flexibleVersions !== undefined && field.flexibleVersions !== message.flexibleVersions) {
      throw new Error(
        `${message.name}: field ${field.name} has flexible versions of its own, which this comparison does not know`,
      )
    }
    const layout = theirField(message, field, version)
    if (field.tag !== undefined && versionWithin(version, field.taggedVersions)) tagged.set(field.tag, layout)
    else plain.push(layout)
  }
  return { plain, tagged }
}

function theirField(message: MessageDefinition, field: FieldDefinition, version: number): FieldLayout {
  const isArray = field.type.startsWith('[]')
  const element = isArray ? field.type.slice(2) : field.type
  const structFields = structFieldsOf(message, field, element)
  const elementType = structFields !== null ? 'struct' : element === 'records' ? 'bytes' : element
  const nullable = versionWithin(version, field.nullableVersions) ? '?' : ''
  return {
    name: lowerFirst(field.name),
    type: `${isArray ? '[]' : ''}${elementType}${nullable}`,
    fields: structFields === null ? null : theirLayout(message, structFields, version),
    fallback: theirFallback(message, field, version),
    nullIsFallback: nullable !== '' && field.default === undefined,
  }
}

/** Null: not a struct. */
function structFieldsOf(
  message: MessageDefinition,
  field: FieldDefinition,
  type: string,
): readonly FieldDefinition[] | null {
  return field.fields ?? message.commonStructs?.find(({ name }) => name === type)?.fields ?? null
}

function theirFallback(message: MessageDefinition, field: FieldDefinition, version: number): unknown {
  const given = field.default === undefined ? undefined : String(field.default)
  if (given === 'null') return null
  if (field.type.startsWith('[]')) return []
  switch (field.type) {
    case 'string':
      return given ?? ''
    case 'uuid':
      return given ?? ZERO_UUID
    case 'bool':
      return given === 'true'
    case 'int64':
      return BigInt(given ?? 0)
    case 'bytes':
    case 'records':
      return Buffer.alloc(0)
  }
  const structFields = structFieldsOf(message, field, field.type)
  if (structFields === null) return Number(given ?? 0)
  return Object.fromEntries(
    structFields
      .filter((inner) => versionWithin(version, inner.versions))
      .map((inner) => [lowerFirst(inner.name), theirFallback(message, inner, version)]),
  )
}

function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

/** Tells 1 and 1n apart: the fallback's type counts, too. */
function text(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}
