import type { Size } from '../terminal/terminal.js'

/**
 * What Ink takes for stdout. With `debug: true` Ink 6.8 writes one whole frame here for each render, before it looks at CI variables, and nothing
 * else but a last frame when it is unmounted. It is no terminal to Ink (Ink would send sequences of its own), and its `resize` event is never
 * sent: with CI set Ink does not listen to it anyway. A new size arrives as props of the root component, and Ink asks for `columns` in each layout.
 */
export interface InkStdout {
  readonly stream: NodeJS.WriteStream
  resize(size: Size): void
}

export function inkStdout(size: Size, onFrame: (frame: string) => void): InkStdout {
  const stream = {
    columns: size.columns,
    rows: size.rows,
    isTTY: false,
    writable: true,
    write(frame: string): boolean {
      onFrame(frame)
      return true
    },
    on: () => stream,
    once: () => stream,
    off: () => stream,
    removeListener: () => stream,
  }
  return {
    // Ink uses no more of a stream than this (6.8: ink.js, App.js, cli-cursor).
    stream: stream as unknown as NodeJS.WriteStream,
    resize({ columns, rows }) {
      stream.columns = columns
      stream.rows = rows
    },
  }
}
