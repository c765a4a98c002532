/** Longest stretch of work before others get their turn. ms */
const SLICE_MS = 6

/** Long work in slices, so that keys, timers and sockets are served in between. */
export interface Slices {
  /** True when the present slice is used up: then await `pause`. */
  due(): boolean
  pause(): Promise<void>
}

let until = 0
const waiting: (() => void)[] = []

/** One of those that wait goes on in each turn of the event loop: thirty brokers that answer at once do not add their slices up. */
function turn(): void {
  until = performance.now() + SLICE_MS
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(turn)
}

/** The time that all long work of this process shares. */
export const sharedSlices: Slices = {
  due: () => performance.now() >= until,
  pause: () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(turn)
    }),
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
