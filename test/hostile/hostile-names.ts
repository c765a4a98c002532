import { expect } from 'vitest'

/**
 * Text with which a cluster would take over a terminal: a window title, a clipboard, a C1 control, colours, a line of its own, direction overrides, marks of no
 * width.
 */
export const HOSTILE_TEXT = '\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u009b31m\r\n\u202egpj\u2066\u200b\u001b[2J'

/** What must never come out of a program as it went in: what a terminal acts on, or what turns text round. A newline is a program's own. */
export const ACTED_ON =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** A name of the same length in bytes that every check lets through: on the wire the hostile text takes its place. */
function placeholder(beginning: string): string {
  return beginning.padEnd(Buffer.byteLength(HOSTILE_TEXT), 'x')
}

export const TOPIC = placeholder('evil-topic-')
/** What Kafka says along with an error, as the simulator does; its beginning is replaced. */
const ERROR_TEXTS = [
  'This server does not host this topic-partition.',
  'Disk error when trying to access log file on the disk.',
  'This is not the correct controller for this cluster.',
].map((text) => text.slice(0, Buffer.byteLength(HOSTILE_TEXT)))

/** What a broker sends, with hostile text in the place of the names and error texts above. */
export function madeHostile(bytes: Buffer): Buffer {
  const hostile = Buffer.from(HOSTILE_TEXT)
  const made = Buffer.from(bytes)
  for (const text of [TOPIC, ...ERROR_TEXTS]) {
    for (let at = made.indexOf(text); at >= 0; at = made.indexOf(text, at + 1)) hostile.copy(made, at, 0, text.length)
  }
  return made
}

/** What a broker receives: the name that it knows in the place of the hostile one. */
export function madeHarmless(bytes: Buffer): Buffer {
  const made = Buffer.from(bytes)
  for (let at = made.indexOf(HOSTILE_TEXT); at >= 0; at = made.indexOf(HOSTILE_TEXT)) made.write(TOPIC, at)
  return made
}

/** Nothing of it reached a terminal as it was sent; the program's own sequences are others. */
export function expectNothingActedOn(raw: string): void {
  for (const piece of ['\u001b]0;owned', '\u001b]52;', '\u0007', '\u009b', '\u202e', '\u2066', '\u200b']) {
    expect(raw, JSON.stringify(piece)).not.toContain(piece)
  }
}

type Wire = typeof import('../../src/simulator/server/request-header.js')

/** The simulator's frames with the names above changed on their way out and in: its own checks would not let them be. For vi.mock. */
export function onHostileWire(real: Wire): Wire {
  return {
    ...real,
    readRequestHeader: (frame, isFlexible) => real.readRequestHeader(madeHarmless(frame), isFlexible),
    frameResponse: (correlationId, hasTagBuffer, body) =>
      real.frameResponse(correlationId, hasTagBuffer, madeHostile(body)),
  }
}
