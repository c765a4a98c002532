/** Lines that are kept for later. */
const KEPT = 50

/**
 * While the console owns the screen nothing else may write to it: what libraries and Node itself say on stdout and stderr is kept, the last
 * lines of it, and told after the screen is left.
 */
export interface StrayOutput {
  /** Gives the streams back; what was caught, oldest line first. */
  release(): string[]
}

export function catchStrayOutput(): StrayOutput {
  let caught = ''
  const keep = (chunk: unknown) => {
    caught = (caught + String(chunk))
      .split('\n')
      .slice(-KEPT - 1)
      .join('\n')
  }
  const restore = [process.stdout, process.stderr].map((stream) => {
    // Only what would land on the screen: a file stays a file.
    if (!stream.isTTY) return () => {}
    const original = stream.write
    stream.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
      keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString())
      const callback = typeof encoding === 'function' ? encoding : done
      if (typeof callback === 'function') queueMicrotask(() => callback())
      return true
    }) as typeof stream.write
    return () => {
      stream.write = original
    }
  })
  // Node prints its warnings past the streams, from a listener of this event.
  const warners = process.listeners('warning')
  process.removeAllListeners('warning')
  const onWarning = (warning: Error) => keep(`${warning.name}: ${warning.message}\n`)
  process.on('warning', onWarning)
  return {
    release() {
      for (const give of restore) give()
      process.off('warning', onWarning)
      for (const listener of warners) process.on('warning', listener as (warning: Error) => void)
      return caught.split('\n').filter((line) => line !== '')
    },
  }
}
