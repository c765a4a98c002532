import { ByteReader } from '../../protocol/schema/bytes.js'

export interface RequestHeader {
  readonly apiKey: number
  readonly version: number
  readonly correlationId: number
  readonly clientId: string | null
  /** What follows the header. */
  readonly body: Buffer
}

/**
 * Reads request header 1, or 2 (with a tag buffer) for flexible versions.
 * @param isFlexible whether that version of that API has header 2
 * @throws MalformedMessageError when the frame is cut short
 */
export function readRequestHeader(
  frame: Buffer,
  isFlexible: (apiKey: number, version: number) => boolean,
): RequestHeader {
  const reader = new ByteReader(frame)
  const apiKey = reader.int16()
  const version = reader.int16()
  const correlationId = reader.int32()
  const length = reader.int16()
  const clientId = length < 0 ? null : reader.utf8(length)
  if (isFlexible(apiKey, version)) {
    const tags = reader.unsignedVarint()
    for (let tag = 0; tag < tags; tag++) {
      reader.unsignedVarint()
      reader.view(reader.unsignedVarint())
    }
  }
  return { apiKey, version, correlationId, clientId, body: reader.view(reader.remaining) }
}

/** A whole answer: length, correlation id, the tag buffer of response header 1 where it has one, body. */
export function frameResponse(correlationId: number, hasTagBuffer: boolean, body: Buffer): Buffer {
  const head = Buffer.alloc(hasTagBuffer ? 9 : 8)
  head.writeInt32BE(head.length - 4 + body.length, 0)
  head.writeInt32BE(correlationId, 4)
  return Buffer.concat([head, body])
}
