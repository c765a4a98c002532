/** Answers above this are refused: the largest real one, metadata of 200,000 partitions, is some 15 MiB. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024

export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/**
 * Cuts a TCP stream into Kafka's frames (int32 length, then that many bytes). Linear: the pieces of a large frame are joined
 * once, when the last one is there. A length that can not be is an error before anything is allocated for it.
 */
export class FrameSplitter {
  #pieces: Buffer[] = []
  #buffered = 0
  /** Bytes wanted before there is something to do: 4 for a length, then the frame with its length. */
  #wanted = 4

  /** @throws FrameError */
  push(chunk: Buffer, onFrame: (frame: Buffer) => void): void {
    this.#pieces.push(chunk)
    this.#buffered += chunk.length
    while (this.#buffered >= this.#wanted) {
      const joined =
        this.#pieces.length === 1 ? (this.#pieces[0] ?? chunk) : Buffer.concat(this.#pieces, this.#buffered)
      const length = joined.readInt32BE(0)
      if (length < 4 || length > MAX_FRAME_BYTES) {
        throw new FrameError(`an answer claims a length of ${length} bytes (allowed: 4 to ${MAX_FRAME_BYTES})`)
      }
      if (joined.length < 4 + length) {
        this.#pieces = [joined]
        this.#wanted = 4 + length
        return
      }
      onFrame(joined.subarray(4, 4 + length))
      const rest = joined.subarray(4 + length)
      this.#pieces = rest.length > 0 ? [rest] : []
      this.#buffered = rest.length
      this.#wanted = 4
    }
  }
}
