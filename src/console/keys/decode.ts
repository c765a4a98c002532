import { StringDecoder } from 'node:string_decoder'
import { graphemes } from '../../text/display-width.js'
import type { InputEvent, KeyEvent } from './key-event.js'
import { csiKey, ss3Key } from './sequences.js'

/** Turns what the terminal sends into events. Holds what is incomplete until the rest comes or `flush` says that none will. */
export interface KeyDecoder {
  push(chunk: Buffer): InputEvent[]
  /** An escape character may stand for itself or begin a sequence: `flush` is due when nothing follows. */
  readonly pending: boolean
  flush(): InputEvent[]
}

const ESC = '\x1b'
const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'
/** Characters that are kept of one paste. */
const MAX_PASTE = 65_536
/** A ctrl-c by itself after this time within a paste ends it: its end was lost, and the operator must get out. ms */
const PASTE_STALLED = 1000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal sends
const CSI = /^\x1b\[([0-?]*)([ -/]*)([@-~])/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal sends
const CSI_BEGUN = /^\x1b\[[0-?]*[ -/]*$/
/** rxvt: shift with a numbered key ends in `$`, which is no final byte. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal sends
const RXVT_SHIFT = /^\x1b\[(\d+)\$/
/** The Linux console's F1 to F5. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal sends
const LINUX_F = /^\x1b\[\[([A-E])/
/** Answers of the terminal (OSC, DCS, APC), ended by ST or BEL: nobody asked, they are dropped. Alt with `]`, `P`, `_` comes alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal sends
const ANSWER = /^\x1b[\]P_][\x20-\x7e]*(?:\x07|\x1b\\)/

/** `now`: ms, for a paste whose end was lost. */
export function createKeyDecoder(now: () => number = () => performance.now()): KeyDecoder {
  const utf8 = new StringDecoder('utf8')
  let rest = ''
  let paste: string | null = null
  let pasteAt = 0

  function pasted(events: InputEvent[]): void {
    const end = rest.indexOf(PASTE_END)
    // The end mark itself may be cut by the chunk's end.
    const taken = end === -1 ? Math.max(0, rest.length - PASTE_END.length + 1) : end
    if (paste !== null && paste.length < MAX_PASTE) paste = (paste + rest.slice(0, taken)).slice(0, MAX_PASTE)
    if (end === -1) {
      rest = rest.slice(taken)
      return
    }
    events.push({ type: 'paste', text: (paste ?? '').replaceAll('\r\n', '\n').replaceAll('\r', '\n') })
    paste = null
    rest = rest.slice(end + PASTE_END.length)
  }

  function decode(events: InputEvent[]): void {
    while (rest !== '') {
      if (paste !== null) {
        pasted(events)
        if (paste !== null) return
        continue
      }
      if (rest.startsWith(PASTE_START)) {
        paste = ''
        rest = rest.slice(PASTE_START.length)
        continue
      }
      const begin = rest.indexOf(ESC)
      const plain = begin === -1 ? rest : rest.slice(0, begin)
      if (plain !== '') {
        for (const key of plainKeys(plain)) events.push(key)
        rest = rest.slice(plain.length)
        continue
      }
      const step = sequence(rest)
      if (step === null) return
      if (step.key !== null) events.push(step.key)
      rest = rest.slice(step.length)
    }
  }

  return {
    push(chunk) {
      if (paste !== null && chunk.length === 1 && chunk[0] === 3 && now() - pasteAt > PASTE_STALLED) {
        paste = null
        rest = ''
        return [named('ctrl+c')]
      }
      pasteAt = now()
      rest += utf8.write(chunk)
      const events: InputEvent[] = []
      decode(events)
      return events
    },
    get pending() {
      return paste === null && rest !== ''
    },
    flush() {
      if (paste !== null) return []
      const begun = rest
      rest = ''
      if (begun === ESC) return [named('esc')]
      if (begun === ESC + ESC) return [named('esc'), named('esc')]
      // Two characters are alt with a key; longer ones are a sequence whose end was lost: no key at all.
      const letter = begun.slice(1)
      return graphemes(letter).length === 1 ? [named(`alt+${letter}`)] : []
    },
  }
}

/** The key at the start of `text`, which begins with an escape character; a null key: a sequence that is none; null: more has to come. */
function sequence(text: string): { readonly key: KeyEvent | null; readonly length: number } | null {
  if (text.length === 1 || text === `${ESC}[[`) return null
  const linux = LINUX_F.exec(text)
  if (linux !== null) return found(`f${(linux[1] ?? 'A').charCodeAt(0) - 64}`, linux[0].length)
  const shifted = RXVT_SHIFT.exec(text)
  if (shifted !== null) return found(csiKey(`${shifted[1]};2`, '~'), shifted[0].length)
  const answer = ANSWER.exec(text)
  if (answer !== null) return found(null, answer[0].length)
  const csi = CSI.exec(text)
  if (csi !== null) return found(csi[2] === '' ? csiKey(csi[1] ?? '', csi[3] ?? '') : null, csi[0].length)
  if (CSI_BEGUN.test(text)) return null
  if (text.startsWith(`${ESC}O`)) {
    if (text.length === 2) return null
    return found(ss3Key(text.charAt(2)), 3)
  }
  if (text.charAt(1) === ESC) {
    // Some terminals put one more escape before a sequence for alt.
    const inner = sequence(text.slice(1))
    if (inner === null) return null
    return { key: inner.key === null ? null : named(`alt+${inner.key.key}`), length: inner.length + 1 }
  }
  const [first = ''] = graphemes(text.slice(1))
  // A line end of two characters is one to a reader, but two keys; alt belongs to the first.
  const character = first === '\r\n' ? '\r' : first
  const [key] = plainKeys(character)
  return { key: key === undefined ? null : named(`alt+${key.key}`), length: 1 + character.length }
}

function found(key: string | null, length: number): { readonly key: KeyEvent | null; readonly length: number } {
  // A sequence may stand for a character, too (kitty, xterm with modifyOtherKeys).
  return { key: key === null ? null : { type: 'key', key, text: graphemes(key).length === 1 ? key : '' }, length }
}

function plainKeys(text: string): KeyEvent[] {
  // A line end of two characters is one to a reader, but two keys.
  return graphemes(text.replaceAll('\n', '\r')).map((character) => {
    const code = character.charCodeAt(0)
    if (character === '\r') return named('enter')
    if (character === '\t') return named('tab')
    // Terminals send either for the backspace key.
    if (code === 0x7f || code === 0x08) return named('backspace')
    if (character === ' ') return { type: 'key', key: 'space', text: ' ' }
    if (code === 0) return named('ctrl+space')
    if (code < 0x1b) return named(`ctrl+${String.fromCharCode(code + 0x60)}`)
    if (code < 0x20) return named(`ctrl+${String.fromCharCode(code + 0x40)}`)
    return { type: 'key', key: character, text: character }
  })
}

function named(key: string): KeyEvent {
  return { type: 'key', key, text: '' }
}
