/** Kafka's default socket.request.max.bytes: a broker closes the connection on a longer request. */
export const MAX_REQUEST_BYTES = 104_857_600

export class OversizedFrameError extends Error {
  override readonly name = 'OversizedFrameError'
}

const EMPTY = Buffer.alloc(0)

/**
 * Cuts a byte stream into Kafka's frames (int32 length, then so many bytes). Pieces are kept as they came and joined once for each
 * frame, so that a large frame in many pieces costs time linear in its length.
 */
export class FrameReader {
  #pieces: Buffer[] = []
  #available = 0
  /** Length of the frame under way; null while its length is not known. */
  #length: number | null = null

  /** @throws OversizedFrameError for a length that no broker takes */
  push(piece: Buffer): Buffer[] {
    this.#pieces.push(piece)
    this.#available += piece.length
    const frames: Buffer[] = []
    for (;;) {
      if (this.#length === null) {
        if (this.#available < 4) break
        const length = this.#take(4).readInt32BE(0)
        if (length < 0 || length > MAX_REQUEST_BYTES) {
          throw new OversizedFrameError(`a frame claims ${length} bytes`)
        }
        this.#length = length
      }
      if (this.#available < this.#length) break
      frames.push(this.#take(this.#length))
      this.#length = null
    }
    return frames
  }

  #take(size: number): Buffer {
    this.#available -= size
    const first = this.#pieces[0]
    if (size === 0 || first === undefined) return EMPTY
    if (first.length > size) {
      this.#pieces[0] = first.subarray(size)
      return first.subarray(0, size)
    }
    const taken: Buffer[] = []
    let missing = size
    let used = 0
    for (const piece of this.#pieces) {
      if (missing === 0) break
      if (piece.length > missing) {
        taken.push(piece.subarray(0, missing))
        this.#pieces[used] = piece.subarray(missing)
        missing = 0
        break
      }
      taken.push(piece)
      missing -= piece.length
      used += 1
    }
    this.#pieces.splice(0, used)
    return taken.length === 1 && taken[0] !== undefined ? taken[0] : Buffer.concat(taken, size)
  }
}
