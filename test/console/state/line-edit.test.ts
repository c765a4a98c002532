import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyDecoder } from '../../../src/console/keys/decode.js'
import { editKey, insertPaste, lineOf, textOf } from '../../../src/console/state/line-edit.js'

// Proves what keys do to a line, and that nothing a terminal would act on gets into it.

function typed(start: string, ...keys: string[]): string {
  let edit = lineOf(start)
  for (const key of keys) edit = editKey(edit, { type: 'key', key, text: key.length === 1 ? key : '' }) ?? edit
  const { characters, caret } = edit
  return `${characters.slice(0, caret).join('')}|${characters.slice(caret).join('')}`
}

describe('a line', () => {
  it.each([
    [['a', 'b'], 'onea' + 'b|'],
    [['left', 'X'], 'onX|e'],
    [['home', 'delete'], '|ne'],
    [['end', 'backspace'], 'on|'],
    [['home', 'backspace'], '|one'],
    [['ctrl+u'], '|'],
    [['left', 'ctrl+k'], 'on|'],
    [['ctrl+a', 'right', 'ctrl+d'], 'o|e'],
    [['pagedown'], 'one|'],
  ])('%j', (keys, result) => {
    expect(typed('one', ...keys)).toBe(result)
  })

  it('takes back words, and whole characters', () => {
    expect(typed('elect 37  prod', 'ctrl+w')).toBe('elect 37  |')
    expect(typed('elect 37  ', 'ctrl+w')).toBe('elect |')
    expect(typed('e\u0301', 'backspace')).toBe('|')
  })

  it('is bounded, whatever is pasted or typed into it', () => {
    let edit = insertPaste(lineOf(''), 'x'.repeat(60_000))
    for (let more = 0; more < 20; more += 1) {
      edit = editKey(insertPaste(edit, 'y'.repeat(5_000)), { type: 'key', key: 'z', text: 'z' }) ?? edit
    }
    expect(textOf(edit)).toBe('x'.repeat(4_096))
    expect(edit.caret).toBe(4_096)
  })

  it('is what was typed, for any printable text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        let edit = lineOf('')
        for (const event of createKeyDecoder().push(Buffer.from(text))) {
          if (event.type === 'key') edit = editKey(edit, event) ?? edit
        }
        expect(textOf(edit)).toBe(text)
      }),
    )
  })

  it('a paste becomes one line without anything a terminal acts on', () => {
    expect(textOf(insertPaste(lineOf('a '), ' b\n\x1b[31mc\u202e\td '))).toBe('a b [31mc d')
  })
})
