/** Bytes that are at home nowhere: lengths that can not be, signs turned, text cut, varints that do not end. */
const PLANTED: readonly Buffer[] = [
  Buffer.of(0x00),
  Buffer.of(0x7f),
  Buffer.of(0x80),
  Buffer.of(0xff),
  Buffer.of(0x7f, 0xff),
  Buffer.of(0x7f, 0xff, 0xff, 0xff),
  Buffer.of(0x80, 0x00, 0x00, 0x00),
  Buffer.of(0xff, 0xff, 0xff, 0xff),
  Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f),
  Buffer.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
]

/** Every cut of the bytes, and each planted value written over and inserted at every place. */
export function* damaged(whole: Buffer): Generator<Buffer> {
  for (let length = 0; length < whole.length; length += 1) yield whole.subarray(0, length)
  for (let at = 0; at < whole.length; at += 1) {
    for (const planted of PLANTED) {
      const over = Buffer.from(whole)
      planted.copy(over, at)
      yield over
      yield Buffer.concat([whole.subarray(0, at), planted, whole.subarray(at)])
    }
  }
  yield Buffer.concat([whole, Buffer.of(0)])
  yield Buffer.concat([whole, whole])
}

/** Works it out, and tells how much memory it took at once, at most. Bytes. */
export function allocatedBy(work: () => void): number {
  const before = process.memoryUsage()
  work()
  const after = process.memoryUsage()
  return Math.max(0, after.arrayBuffers - before.arrayBuffers) + Math.max(0, after.heapTotal - before.heapTotal)
}
