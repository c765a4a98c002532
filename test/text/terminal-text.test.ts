import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../../src/text/display-width.js'
import { terminalJson, terminalText } from '../../src/text/terminal-text.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not come through
const ACTED_ON = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
const anyText = fc.string({ unit: 'binary', maxLength: 50 })

test.each([
  ['\u001b[2J', '\\x1b[2J'],
  ['a\nb\r', 'a\\x0ab\\x0d'],
  ['\u009b31m', '\\x9b31m'],
  ['\u202egpj', '\\u202egpj'],
  ['x\u200by', 'x\\u200by'],
  ['\ud800', '\\ud800'],
  ['naïve 名前 😀', 'naïve 名前 😀'],
  ['\u0591x', '\\u0591x'],
  ['a \u0301b', 'a \\u0301b'],
  ['e\u0301', 'e\u0301'],
  ['\u{1f3fb}', '\\u{1f3fb}'],
])('%j is shown as %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown)
})

test('nothing that a terminal acts on comes through, and what is safe stays as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = terminalText(text)
      expect(shown).not.toMatch(ACTED_ON)
      // Half of a surrogate pair would be replaced on its way out.
      expect(Buffer.from(shown).toString()).toBe(shown)
      expect(terminalText(shown)).toBe(shown)
    }),
  )
})

test('it takes its own width behind a blank, too: nothing in it acts on what stands before it', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme', maxLength: 20 })), (text) => {
      const shown = terminalText(text)
      expect(displayWidth(` ${shown}`)).toBe(1 + displayWidth(shown))
    }),
  )
})

test('JSON means the same, whatever the text', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText), (value) => {
      const text = terminalJson({ value })
      expect(text).not.toMatch(ACTED_ON)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ value })))
    }),
  )
})
