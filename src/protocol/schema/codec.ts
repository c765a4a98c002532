import type { Slices } from '../slices.js'
import { ByteReader, ByteWriter, MalformedMessageError } from './bytes.js'
import { brokerLists } from './shared-lists.js'
import type { Fields, WireShape } from './types.js'

/** What an encoder does with a value for a field that the version lacks: a request refuses, a response leaves it out. */
export type OnUnsupportedField = 'refuse' | 'ignore'

export interface Codec {
  encode(value: unknown): Buffer
  decode(buffer: Buffer): unknown
  /** The same, in slices: metadata of 200,000 partitions takes some 300 ms. */
  decodeInSlices(buffer: Buffer, slices: Slices): Promise<unknown>
}

interface TypeCodec {
  read(reader: ByteReader): unknown
  /** Where it is worth while. `levels`: so many arrays within each other are gone through in slices. */
  readInSlices?(reader: ByteReader, slices: Slices, levels: number): Promise<unknown>
  write(writer: ByteWriter, value: unknown): void
}

interface Context {
  readonly version: number
  readonly flexible: boolean
  readonly onUnsupported: OnUnsupportedField
}

/** Compiles the description of a message for one version. Done once for each message and version (rpc.ts keeps them). */
export function compileStruct(
  fields: Fields,
  version: number,
  flexible: boolean,
  onUnsupported: OnUnsupportedField,
): Codec {
  const body = structCodec(fields, { version, flexible, onUnsupported })
  const whole = (reader: ByteReader, value: unknown) => {
    if (reader.remaining > 0) {
      throw new MalformedMessageError(`${reader.remaining} bytes are left over behind the message`)
    }
    return value
  }
  return {
    encode(value) {
      const writer = new ByteWriter()
      body.write(writer, value)
      return writer.toBuffer()
    },
    decode(buffer) {
      const reader = new ByteReader(buffer)
      return whole(reader, body.read(reader))
    },
    async decodeInSlices(buffer, slices) {
      const reader = new ByteReader(buffer)
      return whole(reader, await readSliced(body, reader, slices, ARRAYS_IN_SLICES))
    },
  }
}

/** Topics, and the partitions in them. */
const ARRAYS_IN_SLICES = 2
const ELEMENTS_BETWEEN_LOOKS = 64

function readSliced(codec: TypeCodec, reader: ByteReader, slices: Slices, levels: number): unknown {
  return levels === 0 || codec.readInSlices === undefined
    ? codec.read(reader)
    : codec.readInSlices(reader, slices, levels)
}

function typeCodec(type: WireShape, context: Context): TypeCodec {
  switch (type.kind) {
    case 'int8':
      return { read: (r) => r.int8(), write: (w, v) => w.int8(v as number) }
    case 'int16':
      return { read: (r) => r.int16(), write: (w, v) => w.int16(v as number) }
    case 'uint16':
      return { read: (r) => r.uint16(), write: (w, v) => w.uint16(v as number) }
    case 'int32':
      return { read: (r) => r.int32(), write: (w, v) => w.int32(v as number) }
    case 'int64':
      return { read: (r) => r.int64(), write: (w, v) => w.int64(v as bigint) }
    case 'bool':
      return { read: (r) => r.bool(), write: (w, v) => w.bool(v as boolean) }
    case 'uuid':
      return {
        read: (r) => r.view(16).toString('base64url'),
        write: (w, v) => w.bytes(uuidBytes(v as string)),
      }
    case 'string':
      return stringCodec(context, false)
    case 'bytes':
      return bytesCodec(context, false)
    case 'array':
      return arrayCodec(type, context, false)
    case 'struct':
      return structCodec(type.fields, context)
    case 'nullable':
      return nullableCodec(type, context)
  }
}

function uuidBytes(text: string): Buffer {
  const raw = Buffer.from(text, 'base64url')
  if (raw.length !== 16) throw new RangeError(`not a uuid in Kafka's form (22 characters of base64url): ${text}`)
  return raw
}

function nullableCodec(type: WireShape & { kind: 'nullable' }, context: Context): TypeCodec {
  const allowed = context.version >= type.nullableFrom
  switch (type.of.kind) {
    case 'string':
      return stringCodec(context, allowed)
    case 'bytes':
      return bytesCodec(context, allowed)
    case 'array':
      return arrayCodec(type.of, context, allowed)
    case 'struct': {
      if (!allowed) return structCodec(type.of.fields, context)
      // A nullable struct is preceded by one byte: -1 for null, else 1 (KIP-893).
      const inner = structCodec(type.of.fields, context)
      return {
        read: (r) => (r.int8() < 0 ? null : inner.read(r)),
        write(w, v) {
          w.int8(v === null ? -1 : 1)
          if (v !== null) inner.write(w, v)
        },
      }
    }
    default:
      throw new RangeError(`the protocol has no nullable ${type.of.kind}`)
  }
}

/** Length of a string, array or byte field; -1 is null. Flexible versions send length + 1 as a varint, 0 being null. */
interface LengthCodec {
  read(reader: ByteReader): number
  write(writer: ByteWriter, length: number): void
}

function lengthCodec(flexible: boolean, classic: 'int16' | 'int32'): LengthCodec {
  if (flexible) return { read: (r) => r.unsignedVarint() - 1, write: (w, n) => w.unsignedVarint(n + 1) }
  if (classic === 'int16') return { read: (r) => r.int16(), write: (w, n) => w.int16(n) }
  return { read: (r) => r.int32(), write: (w, n) => w.int32(n) }
}

function checkedLength(length: number, nullAllowed: boolean, remaining: number, what: string): number {
  if (length === -1 && nullAllowed) return length
  // Everything that has a length takes at least one byte for each of its parts: a larger claim can only be a lie.
  if (length < 0 || length > remaining) {
    throw new MalformedMessageError(`${what} claims a length of ${length} where ${remaining} bytes are left`)
  }
  return length
}

function nullRefused(what: string): never {
  throw new TypeError(`null is not allowed for this ${what} in this version`)
}

function stringCodec({ flexible }: Context, nullAllowed: boolean): TypeCodec {
  const length = lengthCodec(flexible, 'int16')
  return {
    read(r) {
      const n = checkedLength(length.read(r), nullAllowed, r.remaining, 'a string')
      return n === -1 ? null : r.utf8(n)
    },
    write(w, v) {
      if (v === null) {
        if (!nullAllowed) nullRefused('string')
        length.write(w, -1)
        return
      }
      const text = v as string
      const n = Buffer.byteLength(text, 'utf8')
      length.write(w, n)
      w.utf8(text, n)
    },
  }
}

function bytesCodec({ flexible }: Context, nullAllowed: boolean): TypeCodec {
  const length = lengthCodec(flexible, 'int32')
  return {
    read(r) {
      const n = checkedLength(length.read(r), nullAllowed, r.remaining, 'a byte field')
      return n === -1 ? null : r.view(n)
    },
    write(w, v) {
      if (v === null) {
        if (!nullAllowed) nullRefused('byte field')
        length.write(w, -1)
        return
      }
      const raw = v as Buffer
      length.write(w, raw.length)
      w.bytes(raw)
    },
  }
}

const EXACT_UP_TO = 16

function arrayCodec(type: WireShape & { kind: 'array' }, context: Context, nullAllowed: boolean): TypeCodec {
  const length = lengthCodec(context.flexible, 'int32')
  const element = typeCodec(type.of, context)
  const shared = type.shared === true
  const counted = type.of.kind === 'struct'
  const readLength = (r: ByteReader) => {
    const n = checkedLength(length.read(r), nullAllowed, r.remaining, 'an array')
    if (counted && n > 0) r.structures(n)
    return n
  }
  return {
    read(r) {
      const n = readLength(r)
      if (n === -1) return null
      // A growing array keeps room for 17 elements, and most are replica lists of three. Beyond that, a claimed length is not
      // worth an allocation before the elements are there.
      if (n > EXACT_UP_TO) {
        const values: unknown[] = []
        for (let i = 0; i < n; i++) values.push(element.read(r))
        return values
      }
      const values = new Array<unknown>(n)
      for (let i = 0; i < n; i++) values[i] = element.read(r)
      return shared ? brokerLists.of(values as number[]) : values
    },
    async readInSlices(r, slices, levels) {
      const n = readLength(r)
      if (n === -1) return null
      const values: unknown[] = []
      for (let i = 0; i < n; i++) {
        const value = readSliced(element, r, slices, levels - 1)
        values.push(value instanceof Promise ? await value : value)
        const look = levels > 1 || i % ELEMENTS_BETWEEN_LOOKS === 0
        if (look && slices.due()) await slices.pause()
      }
      return values
    },
    write(w, v) {
      if (v === null) {
        if (!nullAllowed) nullRefused('array')
        length.write(w, -1)
        return
      }
      const values = v as readonly unknown[]
      length.write(w, values.length)
      for (const value of values) element.write(w, value)
    },
  }
}

interface NamedField {
  readonly name: string
  readonly codec: TypeCodec
  readonly optional: boolean
  readonly fallback: unknown
}
interface AbsentField {
  readonly name: string
  readonly fallback: unknown
}

function structCodec(fields: Fields, context: Context): TypeCodec {
  const { version, flexible, onUnsupported } = context
  const plain: NamedField[] = []
  const taggedFields = new Map<number, NamedField>()
  const absent: AbsentField[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'versioned') {
      plain.push({ name, codec: typeCodec(field, context), optional: false, fallback: undefined })
      continue
    }
    if (version < field.from || version > field.to) {
      absent.push({ name, fallback: field.fallback })
      continue
    }
    const named = { name, codec: typeCodec(field.type, context), optional: true, fallback: field.fallback }
    if (field.tag === null) plain.push(named)
    else taggedFields.set(field.tag, named)
  }
  const order = Object.keys(fields)
  // Copied for each struct: one shape for all of a kind, made at once, which takes a third less time than adding field by
  // field (measured on metadata of 200,000 partitions).
  const template = templateOf(fields)
  return {
    read(r) {
      const result = { ...template }
      for (const { name, codec } of plain) result[name] = codec.read(r)
      if (flexible) readTaggedFields(r, taggedFields, result)
      return result
    },
    async readInSlices(r, slices, levels) {
      const result = { ...template }
      for (const { name, codec } of plain) {
        const value = readSliced(codec, r, slices, levels)
        result[name] = value instanceof Promise ? await value : value
      }
      if (flexible) readTaggedFields(r, taggedFields, result)
      return result
    },
    write(w, v) {
      const value = v as Record<string, unknown>
      for (const { name, fallback } of absent) {
        const given = value[name]
        if (onUnsupported === 'refuse' && given !== undefined && !sameValue(given, fallback)) {
          throw new RangeError(`field ${name} does not exist in version ${version}`)
        }
      }
      for (const { name, codec, optional, fallback } of plain) {
        const given = value[name]
        if (given === undefined && !optional) {
          throw new TypeError(`field ${name} is missing (fields: ${order.join(', ')})`)
        }
        codec.write(w, given === undefined ? fallback : given)
      }
      if (flexible) writeTaggedFields(w, taggedFields, value)
    },
  }
}

/** A decoded struct with every field, those with a fallback at it, in the order of the schema. */
function templateOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.kind === 'versioned' ? field.fallback : null]),
  )
}

function readTaggedFields(
  r: ByteReader,
  known: ReadonlyMap<number, NamedField>,
  result: Record<string, unknown>,
): void {
  const count = r.unsignedVarint()
  for (let i = 0; i < count; i++) {
    const tag = r.unsignedVarint()
    const size = r.unsignedVarint()
    const content = r.view(size)
    const field = known.get(tag)
    // Unknown tags are skipped: that is what they are for (KIP-482).
    if (field === undefined) continue
    const inner = new ByteReader(content)
    result[field.name] = field.codec.read(inner)
    if (inner.remaining > 0) throw new MalformedMessageError(`tagged field ${field.name} is longer than its value`)
  }
}

function writeTaggedFields(
  w: ByteWriter,
  known: ReadonlyMap<number, NamedField>,
  value: Record<string, unknown>,
): void {
  if (known.size === 0) {
    w.unsignedVarint(0)
    return
  }
  const present: { tag: number; content: Buffer }[] = []
  for (const [tag, field] of [...known].sort(([a], [b]) => a - b)) {
    const given = value[field.name]
    if (given === undefined || sameValue(given, field.fallback)) continue
    const inner = new ByteWriter()
    field.codec.write(inner, given)
    present.push({ tag, content: inner.toBuffer() })
  }
  w.unsignedVarint(present.length)
  for (const { tag, content } of present) {
    w.unsignedVarint(tag)
    w.unsignedVarint(content.length)
    w.bytes(content)
  }
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    )
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => sameValue(left[key], right[key]))
}
