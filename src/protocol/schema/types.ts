/**
 * The vocabulary in which a message is described, once: `rpc({ request: { topics: nullable(array({ topic: string })) } })`.
 * From that one description follow the TypeScript types (here), encoder and decoder (codec.ts), and the comparison with the
 * message definitions of a kafka-clients jar (test/kafka).
 */

export type Primitive = 'int8' | 'int16' | 'uint16' | 'int32' | 'int64' | 'bool' | 'string' | 'uuid' | 'bytes'

export type WireShape =
  | { readonly kind: Primitive }
  /** `shared`: equal lists are decoded as one frozen object (shared-lists.ts); of int32 only. */
  | { readonly kind: 'array'; readonly of: WireShape; readonly shared?: true }
  | { readonly kind: 'struct'; readonly fields: Fields }
  | { readonly kind: 'nullable'; readonly of: WireShape; readonly nullableFrom: number }

/**
 * A type on the wire. `Out` is what decoding yields; `In` is what encoding takes: the same, but fields with a fallback may be
 * left out. Both are for the compiler alone and never present at run time.
 */
export type WireType<Out = unknown, In = Out> = WireShape & { readonly _out?: Out; readonly _in?: In }

/** A field that exists in some versions only, or is sent as a tagged field (KIP-482). Versions are inclusive. */
export interface VersionedField<Out = unknown, In = Out> {
  readonly kind: 'versioned'
  readonly type: WireShape
  readonly from: number
  readonly to: number
  readonly tag: number | null
  /** Its value in versions that do not have it, and when a tagged field is absent. */
  readonly fallback: Out
  readonly _in?: In
}

// biome-ignore lint/suspicious/noExplicitAny: a bound for inference only; no value ever has this type
export type Field = WireType<any, any> | VersionedField<any, any>
export interface Fields {
  readonly [name: string]: Field
}

type FieldOut<F> = F extends VersionedField<infer O, infer _I> ? O : F extends WireType<infer O, infer _I> ? O : never
type FieldIn<F> = F extends VersionedField<infer _O, infer I> ? I : F extends WireType<infer _O, infer I> ? I : never
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { readonly kind: 'versioned' } ? K : never }[keyof F]

/** What decoding yields: every field is there, those that the version lacks with their fallback. */
export type OutputOf<F> = { -readonly [K in keyof F]: FieldOut<F[K]> }
/** What encoding takes: fields with a fallback may be left out. */
export type InputOf<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: FieldIn<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: FieldIn<F[K]>
}

const primitive = <T>(kind: Primitive): WireType<T> => ({ kind })

export const int8 = primitive<number>('int8')
export const int16 = primitive<number>('int16')
export const uint16 = primitive<number>('uint16')
export const int32 = primitive<number>('int32')
/** Offsets, sizes, times: bigint, since a JavaScript number would round above 2^53. */
export const int64 = primitive<bigint>('int64')
export const bool = primitive<boolean>('bool')
export const string = primitive<string>('string')
/** In Kafka's own text form: 22 characters of base64url. */
export const uuid = primitive<string>('uuid')
export const bytes = primitive<Buffer>('bytes')

export const ZERO_UUID = 'AAAAAAAAAAAAAAAAAAAAAA'
export const LATEST = Number.MAX_SAFE_INTEGER

export function struct<const F extends Fields>(fields: F): WireType<OutputOf<F>, InputOf<F>> {
  return { kind: 'struct', fields }
}

export function array<Out, In>(of: WireType<Out, In>): WireType<Out[], readonly In[]> {
  return { kind: 'array', of }
}

/** Ids of brokers: there are few such lists, repeated many times. */
export const brokerIds: WireType<readonly number[]> = { kind: 'array', of: int32, shared: true }

/** An array of structs. */
export function arrayOf<const F extends Fields>(fields: F): WireType<OutputOf<F>[], readonly InputOf<F>[]> {
  return { kind: 'array', of: struct(fields) }
}

/** Null is allowed, from version `from` on. */
export function nullable<Out, In>(of: WireType<Out, In>, from = 0): WireType<Out | null, In | null> {
  return { kind: 'nullable', of, nullableFrom: from }
}

/** The field exists in the versions `from` to `to`. */
export function between<Out, In>(
  from: number,
  to: number,
  type: WireType<Out, In>,
  fallback: NoInfer<Out>,
): VersionedField<Out, In> {
  return { kind: 'versioned', type, from, to, tag: null, fallback }
}

/** The field exists from version `from` on. */
export function since<Out, In>(from: number, type: WireType<Out, In>, fallback: NoInfer<Out>): VersionedField<Out, In> {
  return between(from, LATEST, type, fallback)
}

/** The field exists up to version `to`. */
export function until<Out, In>(to: number, type: WireType<Out, In>, fallback: NoInfer<Out>): VersionedField<Out, In> {
  return between(0, to, type, fallback)
}

/** A field of every version that an encoder may leave out: the fallback is sent. */
export function optional<Out, In>(type: WireType<Out, In>, fallback: NoInfer<Out>): VersionedField<Out, In> {
  return between(0, LATEST, type, fallback)
}

/** A tagged field: sent only when it differs from the fallback. */
export function tagged<Out, In>(
  tag: number,
  from: number,
  type: WireType<Out, In>,
  fallback: NoInfer<Out>,
): VersionedField<Out, In> {
  return { kind: 'versioned', type, from, to: LATEST, tag, fallback }
}
