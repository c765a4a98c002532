/** An offset or size above 2^53-1: a JavaScript number would round it, so it is refused instead. */
export class OffsetTooLargeError extends RangeError {
  override readonly name = 'OffsetTooLargeError'
}

/** @throws OffsetTooLargeError */
export function offsetFromWire(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new OffsetTooLargeError(`offset ${value} is above 2^53-1 and can not be shown exactly`)
  }
  return Number(value)
}

/** -1 (and below) is Kafka's "not told". @throws OffsetTooLargeError */
export function knownOffsetFromWire(value: bigint): number | null {
  return value < 0n ? null : offsetFromWire(value)
}
