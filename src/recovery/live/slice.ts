/** Longest stretch of work before others get their turn. ms */
const SLICE_MS = 6

/** Long work in slices, so that keys, timers and sockets are served in between. */
export interface Slices {
  /** True when the present slice is used up: then await `pause`. */
  due(): boolean
  pause(): Promise<void>
}

export function newSlices(): Slices {
  let until = performance.now() + SLICE_MS
  return {
    due: () => performance.now() >= until,
    async pause() {
      await new Promise<void>((resolve) => setImmediate(resolve))
      until = performance.now() + SLICE_MS
    },
  }
}

/** `work` for each item; looks at the time after every `stride` of them (a power of two). */
export async function eachInSlices<T>(
  items: Iterable<T>,
  slices: Slices,
  stride: number,
  work: (item: T) => void,
): Promise<void> {
  let index = 0
  for (const item of items) {
    work(item)
    index += 1
    if ((index & (stride - 1)) === 0 && slices.due()) await slices.pause()
  }
}
