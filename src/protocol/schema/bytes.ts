/** A message that does not decode: cut short, a length that cannot be, a value out of range. Never a crash, never a guess. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError'
}

const INITIAL_CAPACITY = 512

/**
 * Structures in the arrays of one message, at most. A structure of some 18 bytes on the wire is some 300 in memory, so that a frame of
 * the size allowed could still fill it. The largest clusters tried with KRaft have two million partitions.
 */
export const MAX_STRUCTURES = 4_000_000

/** Reads Kafka's primitive wire types from one message. Every read checks its bounds: a hostile length can not allocate. */
export class ByteReader {
  readonly #buffer: Buffer
  #offset = 0
  #structures = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  /** Bytes not yet read. */
  get remaining(): number {
    return this.#buffer.length - this.#offset
  }

  /** Takes note that an array of so many structures is about to be read. */
  structures(count: number): void {
    this.#structures += count
    if (this.#structures > MAX_STRUCTURES) {
      throw new MalformedMessageError(`message holds more than ${MAX_STRUCTURES} structures at byte ${this.#offset}`)
    }
  }

  #advance(size: number): number {
    const at = this.#offset
    if (size < 0 || size > this.#buffer.length - at) {
      throw new MalformedMessageError(
        `message is cut short: ${size} bytes wanted at byte ${at} of ${this.#buffer.length}`,
      )
    }
    this.#offset = at + size
    return at
  }

  int8(): number {
    return this.#buffer.readInt8(this.#advance(1))
  }

  int16(): number {
    return this.#buffer.readInt16BE(this.#advance(2))
  }

  uint16(): number {
    return this.#buffer.readUInt16BE(this.#advance(2))
  }

  int32(): number {
    return this.#buffer.readInt32BE(this.#advance(4))
  }

  int64(): bigint {
    return this.#buffer.readBigInt64BE(this.#advance(8))
  }

  bool(): boolean {
    return this.int8() !== 0
  }

  /** Unsigned variable length integer of at most 32 bits (KIP-482). */
  unsignedVarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#buffer.readUInt8(this.#advance(1))
      value += (byte & 0x7f) * 2 ** shift
      if ((byte & 0x80) === 0) {
        if (value > 0xffffffff) break
        return value
      }
    }
    throw new MalformedMessageError(`unsigned varint longer than 32 bits at byte ${this.#offset}`)
  }

  utf8(length: number): string {
    const at = this.#advance(length)
    return this.#buffer.toString('utf8', at, at + length)
  }

  /** The next bytes, as a view on the message: copy what is kept longer than the message. */
  view(length: number): Buffer {
    const at = this.#advance(length)
    return this.#buffer.subarray(at, at + length)
  }
}

/** Writes Kafka's primitive wire types into one growing buffer. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_CAPACITY)
  #offset = 0

  #advance(size: number): number {
    const at = this.#offset
    if (at + size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, at + size))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    this.#offset = at + size
    return at
  }

  int8(value: number): void {
    const at = this.#advance(1)
    this.#buffer.writeInt8(value, at)
  }

  int16(value: number): void {
    const at = this.#advance(2)
    this.#buffer.writeInt16BE(value, at)
  }

  uint16(value: number): void {
    const at = this.#advance(2)
    this.#buffer.writeUInt16BE(value, at)
  }

  int32(value: number): void {
    const at = this.#advance(4)
    this.#buffer.writeInt32BE(value, at)
  }

  int64(value: bigint): void {
    const at = this.#advance(8)
    this.#buffer.writeBigInt64BE(value, at)
  }

  bool(value: boolean): void {
    this.int8(value ? 1 : 0)
  }

  unsignedVarint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      const at = this.#advance(1)
      this.#buffer.writeUInt8((rest & 0x7f) | 0x80, at)
      rest = Math.floor(rest / 128)
    }
    const at = this.#advance(1)
    this.#buffer.writeUInt8(rest, at)
  }

  bytes(value: Buffer): void {
    const at = this.#advance(value.length)
    value.copy(this.#buffer, at)
  }

  utf8(value: string, length: number): void {
    const at = this.#advance(length)
    this.#buffer.write(value, at, length, 'utf8')
  }

  /** What was written so far. */
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#offset)
  }
}
