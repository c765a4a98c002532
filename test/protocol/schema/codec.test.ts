import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_RPCS } from '../../../src/protocol/rpc/all.js'
import { ApiVersions } from '../../../src/protocol/rpc/api-versions.js'
import { DescribeLogDirs } from '../../../src/protocol/rpc/describe-log-dirs.js'
import { ElectLeaders } from '../../../src/protocol/rpc/elect-leaders.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import { MAX_STRUCTURES, MalformedMessageError } from '../../../src/protocol/schema/bytes.js'
import {
  type AnyRpc,
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '../../../src/protocol/schema/rpc.js'
import type { Fields, WireShape } from '../../../src/protocol/schema/types.js'

/** Any value of a wire type in one version; fields that the version lacks keep their fallback. */
function anyValue(type: WireShape, version: number): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'int8':
      return fc.integer({ min: -128, max: 127 })
    case 'int16':
      return fc.integer({ min: -32768, max: 32767 })
    case 'uint16':
      return fc.integer({ min: 0, max: 65535 })
    case 'int32':
      return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    case 'bool':
      return fc.boolean()
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 20 })
    case 'uuid':
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map((raw) => Buffer.from(raw).toString('base64url'))
    case 'bytes':
      return fc.uint8Array({ maxLength: 20 }).map((raw) => Buffer.from(raw))
    case 'array':
      return fc.array(anyValue(type.of, version), { maxLength: 4 })
    case 'struct':
      return messageOf(type.fields, version)
    case 'nullable':
      return version >= type.nullableFrom
        ? fc.option(anyValue(type.of, version), { nil: null })
        : anyValue(type.of, version)
  }
}

function messageOf(fields: Fields, version: number): fc.Arbitrary<Record<string, unknown>> {
  const values: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'versioned') values[name] = anyValue(field, version)
    else if (version < field.from || version > field.to) values[name] = fc.constant(field.fallback)
    else values[name] = anyValue(field.type, version)
  }
  return fc.record(values)
}

const allVersions = ALL_RPCS.flatMap((rpc) =>
  Array.from({ length: rpc.versions[1] - rpc.versions[0] + 1 }, (_, i) => ({ rpc, version: rpc.versions[0] + i })),
)

// The values are made for each schema at run time: the compiler can not know their types.
type Codec = {
  encode: (rpc: AnyRpc, version: number, value: never) => Buffer
  decode: (rpc: AnyRpc, version: number, bytes: Buffer) => unknown
}
const encodings: ['request' | 'response', Codec][] = [
  ['request', { encode: encodeRequest<AnyRpc>, decode: decodeRequest<AnyRpc> }],
  ['response', { encode: encodeResponse<AnyRpc>, decode: decodeResponse<AnyRpc> }],
]

describe.each(encodings)('every %s in every version', (side, { encode, decode }) => {
  it.each(allVersions.map(({ rpc, version }) => [rpc.name, version, rpc] as const))('%s %i', (_name, version, rpc) => {
    fc.assert(
      fc.property(messageOf(rpc[side], version), (value) => {
        expect(decode(rpc, version, encode(rpc, version, value as never))).toEqual(value)
      }),
      { numRuns: 25 },
    )
    // Cut anywhere, or with bytes changed: an error or another value of that kind, never a crash or a hang.
    fc.assert(
      fc.property(messageOf(rpc[side], version), fc.nat(), fc.nat(255), (value, at, byte) => {
        const whole = encode(rpc, version, value as never)
        const damaged = Buffer.from(whole)
        if (damaged.length > 0) damaged[at % damaged.length] = byte
        for (const input of [whole.subarray(0, at % (whole.length + 1)), damaged]) {
          try {
            decode(rpc, version, input)
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedMessageError)
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})

describe('the codec', () => {
  it('refuses a request value that the version can not carry, instead of losing it', () => {
    const withLeaders = { topicPartitions: [{ topic: 't', partitions: [0], designatedLeaders: [2] }] }
    expect(() => encodeRequest(ElectLeaders, 2, withLeaders)).toThrow(/designatedLeaders does not exist in version 2/)
    expect(encodeRequest(ElectLeaders, 3, withLeaders).length).toBeGreaterThan(0)
  })

  it('leaves out of a response what the version lacks, as a broker does', () => {
    const answer = encodeResponse(Metadata, 1, { brokers: [], clusterId: 'only since 2', topics: [] })
    expect(decodeResponse(Metadata, 1, answer).clusterId).toBeNull()
  })

  it('refuses a missing field by name', () => {
    expect(() => encodeRequest(Metadata, 9, {} as never)).toThrow(/topics is missing/)
  })

  it('does not allocate for an array that claims more elements than there are bytes', () => {
    const claim = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])
    expect(() => decodeResponse(Metadata, 9, Buffer.concat([Buffer.alloc(4), claim]))).toThrow(MalformedMessageError)
  })

  it('reads no message whose structures, all arrays together, would fill the memory though the bytes are there', () => {
    const one = Buffer.alloc(2 + 4 + 6 * (MAX_STRUCTURES + 1) + 4)
    one.writeInt32BE(MAX_STRUCTURES + 1, 2)
    expect(() => decodeResponse(ApiVersions, 0, one)).toThrow(/more than 4000000 structures/)

    // DescribeLogDirs 1: two directories, with topics of no name and no partitions (6 bytes each).
    const directory = (topics: number) => {
      const bytes = Buffer.alloc(2 + 2 + 4 + 6 * topics)
      bytes.writeInt32BE(topics, 4)
      return bytes
    }
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 2])
    const many = Buffer.concat([head, directory(10), directory(MAX_STRUCTURES - 10)])
    expect(() => decodeResponse(DescribeLogDirs, 1, many)).toThrow(/more than 4000000 structures/)
  })

  it('skips tagged fields that it does not know (KIP-482)', () => {
    const plain = encodeResponse(Metadata, 9, { brokers: [], clusterId: 'c', topics: [] })
    const tagged = Buffer.concat([plain.subarray(0, -1), Buffer.from([1, 77, 3, 1, 2, 3])])
    expect(decodeResponse(Metadata, 9, tagged).clusterId).toBe('c')
  })

  it('keeps bytes of known messages as Kafka lays them out', () => {
    const body = encodeRequest(ElectLeaders, 2, {
      electionType: 1,
      topicPartitions: [{ topic: 'a', partitions: [1, 2] }],
      timeoutMs: 60_000,
    })
    expect(body.toString('hex')).toBe('0102026103000000010000000200' + '0000ea6000')
    const classic = encodeRequest(ElectLeaders, 1, { electionType: 1, topicPartitions: null, timeoutMs: 1 })
    expect(classic.toString('hex')).toBe('01' + 'ffffffff' + '00000001')
  })
})
