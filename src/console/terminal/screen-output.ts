import { closeSync, constants, openSync, writeSync } from 'node:fs'

/** The way to the terminal. At most one text is under way; whoever writes asks first whether the last one is out. */
export interface ScreenOutput {
  /** Everything written so far was taken by the terminal. */
  readonly idle: boolean
  /** Bytes that were handed over since the start. */
  readonly bytes: number
  /** Somebody else has the terminal (an editor, the shell): what is written is dropped. `finish` writes all the same. */
  muted: boolean
  write(text: string): void
  /** Called each time it gets idle after it was not. One listener. */
  onIdle: (() => void) | null
  /** Called once when the terminal is gone (hung up). One listener. */
  onGone: (() => void) | null
  /** Drops what is under way, writes this and waits for it, `limitMs` at most: for the way out, also out of a process that ends. */
  finish(text: string, limitMs: number): void
  close(): void
}

/** Between two attempts at a terminal that takes nothing. ms */
const RETRY = 5

/**
 * Writes to the terminal of file descriptor `fd` without ever blocking the process: Node sets terminals to blocking, and an SSH session that hangs
 * would hold up everything, an election under way too. So the terminal is opened once more, non-blocking. Where it can't be, `fd` itself is used.
 */
export function openScreenOutput(fd: number): ScreenOutput {
  const own = openAgain(fd)
  const target = own ?? fd
  let under: Buffer = Buffer.alloc(0)
  let timer: NodeJS.Timeout | null = null
  let gone = false
  let bytes = 0

  /** Writes what it can. False: the terminal takes nothing more now. */
  function advance(): boolean {
    while (under.length > 0 && !gone) {
      try {
        const written = writeSync(target, under)
        bytes += written
        under = under.subarray(written)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code === 'EAGAIN' || code === 'EINTR') return false
        gone = true
        under = Buffer.alloc(0)
        output.onGone?.()
      }
    }
    return true
  }

  function retry(): void {
    timer = null
    if (!advance()) {
      timer = setTimeout(retry, RETRY)
      return
    }
    output.onIdle?.()
  }

  const output: ScreenOutput = {
    muted: false,
    onIdle: null,
    onGone: null,
    get idle() {
      return under.length === 0
    },
    get bytes() {
      return bytes
    },
    write(text) {
      if (gone || output.muted) return
      const more = Buffer.from(text)
      under = under.length === 0 ? more : Buffer.concat([under, more])
      if (!advance()) timer ??= setTimeout(retry, RETRY)
    },
    finish(text, limitMs) {
      if (timer !== null) clearTimeout(timer)
      timer = null
      under = Buffer.from(text)
      const sleep = new Int32Array(new SharedArrayBuffer(4))
      for (let waited = 0; !advance() && waited < limitMs; waited += RETRY) Atomics.wait(sleep, 0, 0, RETRY)
      under = Buffer.alloc(0)
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      gone = true
      if (own !== null) closeSync(own)
    },
  }
  return output
}

/** The terminal behind `fd` with a file description of its own; after su the device may belong to somebody else, then /dev/tty opens still. */
function openAgain(fd: number): number | null {
  for (const path of [`/proc/self/fd/${fd}`, '/dev/tty']) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    } catch {
      // The next one may open.
    }
  }
  return null
}
