import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapLine } from '../../../src/cli/text/wrap.js'

test('breaks at words, and indents what follows by two more', () => {
  expect(wrapLine('  one two three four', 12)).toEqual(['  one two', '    three', '    four'])
  expect(wrapLine('short', 12)).toEqual(['short'])
})

test('no word is lost, none is cut, and only a word that is too long by itself is wider than the terminal', () => {
  const words = fc.array(fc.stringMatching(/^[!-~]{1,30}$/), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(words, fc.nat(6), fc.integer({ min: 20, max: 120 }), (list, indent, width) => {
      const lines = wrapLine(' '.repeat(indent) + list.join(' '), width)
      expect(lines.join(' ').trim().split(/ +/)).toEqual(list)
      for (const line of lines) if (line.length > width) expect(line.trim()).not.toContain(' ')
    }),
  )
})
