import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import type { KafkaJars } from './jars.js'

/** A field of a message as Kafka's JSON definitions describe it (generator/.../FieldSpec). */
export interface FieldDefinition {
  readonly name: string
  /** int32, []int32, StructName, []StructName, records, ... */
  readonly type: string
  /** "0+", "3-5", "7" or "none". */
  readonly versions: string
  readonly nullableVersions?: string
  readonly taggedVersions?: string
  readonly tag?: number
  readonly default?: string | number | boolean
  readonly flexibleVersions?: string
  readonly fields?: readonly FieldDefinition[]
}

export interface MessageDefinition {
  readonly apiKey: number
  readonly type: 'request' | 'response'
  readonly name: string
  readonly validVersions: string
  readonly flexibleVersions: string
  readonly fields: readonly FieldDefinition[]
  readonly commonStructs?: readonly { readonly name: string; readonly fields: readonly FieldDefinition[] }[]
}

export interface RpcDefinition {
  readonly request: MessageDefinition
  readonly response: MessageDefinition
}

/** The definitions of one RPC in the kafka-clients jar; null where that version does not have it. */
export async function rpcDefinition(jars: KafkaJars, name: string): Promise<RpcDefinition | null> {
  if (!existsSync(join(jars.messages, `${name}Request.json`))) return null
  return {
    request: await messageDefinition(jars, `${name}Request`),
    response: await messageDefinition(jars, `${name}Response`),
  }
}

/** The files are JSON with comments. */
async function messageDefinition({ messages }: KafkaJars, name: string): Promise<MessageDefinition> {
  const errors: ParseError[] = []
  const definition = parse(await readFile(join(messages, `${name}.json`), 'utf8'), errors) as MessageDefinition
  const [error] = errors
  if (error !== undefined)
    throw new Error(`${name}.json does not parse: ${printParseErrorCode(error.error)} at ${error.offset}`)
  return definition
}

/** Whether a version lies within "0+", "3-5", "7" or "none". */
export function versionWithin(version: number, range: string | undefined): boolean {
  if (range === undefined || range === 'none') return false
  const [from, to] = range.endsWith('+') ? [range.slice(0, -1), 'Infinity'] : range.split('-')
  return version >= Number(from) && version <= Number(to ?? from)
}
