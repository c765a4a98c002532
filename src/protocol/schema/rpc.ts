import { sharedSlices } from '../slices.js'
import { type Codec, compileStruct } from './codec.js'
import type { Fields, InputOf, OutputOf } from './types.js'

/** One RPC: its key, the versions that this program speaks, and its two messages, each described once for all versions. */
export interface Rpc<Req extends Fields = Fields, Res extends Fields = Fields> {
  readonly name: string
  readonly apiKey: number
  /** Lowest and highest version that this program speaks. */
  readonly versions: readonly [min: number, max: number]
  /** The first version with compact lengths and tagged fields (KIP-482). */
  readonly flexibleFrom: number
  /** Whether it changes something in the cluster: refused at the transport when read-only. */
  readonly writes: boolean
  readonly request: Req
  readonly response: Res
}

// biome-ignore lint/suspicious/noExplicitAny: a bound for inference only; no value ever has this type
export type AnyRpc = Rpc<any, any>
export type RequestInput<R> = R extends Rpc<infer Req, infer _Res> ? InputOf<Req> : never
export type RequestOf<R> = R extends Rpc<infer Req, infer _Res> ? OutputOf<Req> : never
export type ResponseInput<R> = R extends Rpc<infer _Req, infer Res> ? InputOf<Res> : never
export type ResponseOf<R> = R extends Rpc<infer _Req, infer Res> ? OutputOf<Res> : never

export function rpc<const Req extends Fields, const Res extends Fields>(definition: Rpc<Req, Res>): Rpc<Req, Res> {
  return definition
}

/** Takes some milliseconds to decode. */
const LARGE_BYTES = 32 * 1024

interface MessageCodecs {
  readonly request: Codec
  readonly response: Codec
}

const compiled = new WeakMap<AnyRpc, Map<number, MessageCodecs>>()

function codecsOf(definition: AnyRpc, version: number): MessageCodecs {
  let versions = compiled.get(definition)
  if (versions === undefined) {
    versions = new Map()
    compiled.set(definition, versions)
  }
  let codecs = versions.get(version)
  if (codecs === undefined) {
    const [min, max] = definition.versions
    if (version < min || version > max) {
      throw new RangeError(`${definition.name} ${version} is outside of the versions spoken here, ${min} to ${max}`)
    }
    const flexible = version >= definition.flexibleFrom
    codecs = {
      request: compileStruct(definition.request, version, flexible, 'refuse'),
      response: compileStruct(definition.response, version, flexible, 'ignore'),
    }
    versions.set(version, codecs)
  }
  return codecs
}

export function isFlexible(definition: AnyRpc, version: number): boolean {
  return version >= definition.flexibleFrom
}

/** The body of a request, without header. A value for a field that the version lacks is an error, not lost silently. */
export function encodeRequest<R extends AnyRpc>(definition: R, version: number, body: RequestInput<R>): Buffer {
  return codecsOf(definition, version).request.encode(body)
}

export function decodeRequest<R extends AnyRpc>(definition: R, version: number, body: Buffer): RequestOf<R> {
  return codecsOf(definition, version).request.decode(body) as RequestOf<R>
}

/** The body of a response, without header. Values for fields that the version lacks are left out, as a broker does. */
export function encodeResponse<R extends AnyRpc>(definition: R, version: number, body: ResponseInput<R>): Buffer {
  return codecsOf(definition, version).response.encode(body)
}

/** @throws MalformedMessageError when the bytes are not such a message, whole */
export function decodeResponse<R extends AnyRpc>(definition: R, version: number, body: Buffer): ResponseOf<R> {
  return codecsOf(definition, version).response.decode(body) as ResponseOf<R>
}

/** The same, with others having their turn in between where the answer is large. @throws MalformedMessageError */
export async function decodeResponseInSlices<R extends AnyRpc>(
  definition: R,
  version: number,
  body: Buffer,
): Promise<ResponseOf<R>> {
  const { response } = codecsOf(definition, version)
  const decoded = body.length < LARGE_BYTES ? response.decode(body) : response.decodeInSlices(body, sharedSlices)
  return (await decoded) as ResponseOf<R>
}
