import { graphemes } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'
import type { KeyEvent } from '../keys/key-event.js'

/** Longer than any path or text that is asked for; what would be beyond is left out. */
const MAX_CHARACTERS = 4_096

/** A line that is being typed; the caret stands before the character of that index. */
export interface LineEdit {
  readonly characters: readonly string[]
  readonly caret: number
}

export function lineOf(text: string): LineEdit {
  const characters = graphemes(text)
  return { characters, caret: characters.length }
}

export function textOf(edit: LineEdit): string {
  return edit.characters.join('')
}

/** Pasted text as one line: line ends become blanks, what a terminal would act on is left out. */
export function insertPaste(edit: LineEdit, text: string): LineEdit {
  const line = graphemes(text.replace(/\s+/g, ' ').trim())
  return insert(
    edit,
    line.filter((character) => terminalText(character) === character),
  )
}

/** The line after a key; null: this key does not edit. */
export function editKey(edit: LineEdit, event: KeyEvent): LineEdit | null {
  const { characters, caret } = edit
  switch (event.key) {
    case 'left':
    case 'ctrl+b':
      return { characters, caret: Math.max(0, caret - 1) }
    case 'right':
    case 'ctrl+f':
      return { characters, caret: Math.min(characters.length, caret + 1) }
    case 'home':
    case 'ctrl+a':
      return { characters, caret: 0 }
    case 'end':
    case 'ctrl+e':
      return { characters, caret: characters.length }
    case 'backspace':
      return without(edit, Math.max(0, caret - 1), caret)
    case 'delete':
    case 'ctrl+d':
      return without(edit, caret, caret + 1)
    case 'ctrl+u':
      return without(edit, 0, caret)
    case 'ctrl+k':
      return without(edit, caret, characters.length)
    case 'ctrl+w':
    case 'alt+backspace':
      return without(edit, wordStart(edit), caret)
  }
  if (event.text === '' || terminalText(event.text) !== event.text) return null
  return insert(edit, [event.text])
}

function insert(edit: LineEdit, wanted: readonly string[]): LineEdit {
  const { characters, caret } = edit
  const more = wanted.slice(0, Math.max(0, MAX_CHARACTERS - characters.length))
  if (more.length === 0) return edit
  return {
    characters: [...characters.slice(0, caret), ...more, ...characters.slice(caret)],
    caret: caret + more.length,
  }
}

function without({ characters }: LineEdit, from: number, to: number): LineEdit {
  return { characters: [...characters.slice(0, from), ...characters.slice(to)], caret: from }
}

function wordStart({ characters, caret }: LineEdit): number {
  let at = caret
  while (at > 0 && characters[at - 1] === ' ') at -= 1
  while (at > 0 && characters[at - 1] !== ' ') at -= 1
  return at
}
