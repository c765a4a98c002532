import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageText, durationText } from '../../../src/console/layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans } from '../../../src/console/layout/columns.js'
import { cutEnd, cutMiddle, sized } from '../../../src/console/layout/cut.js'
import { cutLine, drawLine, lineWidth, plainText, span, withRight } from '../../../src/console/layout/line.js'
import { wrapSentence } from '../../../src/console/layout/wrap.js'
import { themeFor } from '../../../src/console/theme.js'
import { displayWidth } from '../../../src/text/display-width.js'

// Proves: nothing is ever wider than its room, no number is cut off a partition, no control character gets through, no word is lost.

const outside = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.stringMatching(/^[a-zA-Z0-9._-]{1,249}-\d{1,5}$/),
)
const width = fc.integer({ min: 0, max: 100 })
// biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is what is proved
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('cutting', () => {
  it('never gives more than the width, nor a control character', () => {
    fc.assert(
      fc.property(outside, width, fc.constantFrom('…', '...'), (text, columns, ellipsis) => {
        for (const cut of [cutEnd(text, columns, ellipsis), cutMiddle(text, columns, ellipsis)]) {
          expect(displayWidth(cut)).toBeLessThanOrEqual(columns)
          expect(cut).not.toMatch(CONTROL)
        }
        expect(displayWidth(sized(text, columns, 'right', ellipsis))).toBe(columns)
      }),
    )
  })

  it('keeps the partition number of a name of 249 characters', () => {
    for (const columns of [12, 20, 50]) {
      expect(cutMiddle(`${'x'.repeat(120)}.orders.${'y'.repeat(120)}-12345`, columns, '…')).toMatch(/^x.*….*-12345$/)
    }
    expect(cutMiddle('abcdefghij-7', 8, '…')).toBe('abc…ij-7')
    expect(cutMiddle('abcdefghij-12345', 7, '...')).toBe('2345'.padStart(7, '...'))
  })
})

describe('lines', () => {
  const line = fc.array(
    fc.oneof(
      outside,
      outside.map((text) => span('danger', text)),
    ),
    { maxLength: 5 },
  )
  const theme = themeFor({ colours: true, attributes: true, unicode: true, addressable: true, screenReader: false })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the theme's own sequences
  const bare = (text: string) => text.replace(/\x1b\[\d+m/g, '')

  it('are drawn within the width, and hold no sequence but the theme’s', () => {
    fc.assert(
      fc.property(line, width, (spans, columns) => {
        expect(lineWidth(cutLine(spans, columns, '…'))).toBeLessThanOrEqual(columns)
        const drawn = drawLine(spans, columns, theme)
        expect(bare(drawn)).not.toMatch(CONTROL)
        expect(displayWidth(bare(drawn))).toBeLessThanOrEqual(columns)
      }),
    )
  })

  it('every style that is set is taken back', () => {
    expect(drawLine(['a', span('danger', 'b'), span('danger', 'c')], 10, theme)).toBe(
      'a\x1b[1m\x1b[31mbc\x1b[39m\x1b[22m',
    )
  })

  it('say that they were cut', () => {
    expect(plainText(cutLine(['abc', span('ok', 'def')], 5, '…'))).toBe('abcd…')
    expect(plainText(cutLine(['abc', span('ok', 'def')], 3, '…'))).toBe('ab…')
    expect(plainText(cutLine(['abc', ''], 3, '…'))).toBe('abc')
  })

  it('end at the right edge with withRight', () => {
    expect(plainText(withRight('left', 'right', 12, '…'))).toBe('left   right')
    expect(plainText(withRight('left is long', 'right', 12, '…'))).toBe('left … right')
  })
})

describe('sentences', () => {
  it('drop the indent where a wide character would have no room beside it', () => {
    expect(wrapSentence('! \u2e80', 3, '  ')).toEqual(['!', '\u2e80'])
  })

  it('lose no word, and no line is too wide', () => {
    fc.assert(
      fc.property(outside, fc.integer({ min: 2, max: 60 }), fc.constantFrom('', '  '), (text, columns, indent) => {
        const lines = wrapSentence(text, columns, indent)
        expect(lines.length).toBeGreaterThan(0)
        for (const one of lines) expect(displayWidth(one)).toBeLessThanOrEqual(columns)
        const squeezed = (words: string) => words.replace(/ /g, '')
        expect(squeezed(lines.join(''))).toBe(squeezed(wrapSentence(text, 10_000).join('')))
      }),
    )
  })
})

describe('columns', () => {
  const specs: readonly ColumnSpec[] = [
    { title: 'partition', min: 12, want: 'rest', cut: 'middle' },
    { title: 'replicas', min: 8, want: 12, drop: 2 },
    { title: 'best', min: 4, want: 6, align: 'right', drop: 1 },
    { title: 'lost', min: 8, want: 10, align: 'right' },
  ]

  it('fill the width, and drop what may be dropped, the highest number first', () => {
    expect(columnWidths(specs, 60)).toEqual([26, 12, 6, 10])
    expect(columnWidths(specs, 30)).toEqual(
      [14, null, 4, 8].map((one, index) => (index === 0 ? 12 : index === 2 ? 6 : index === 3 ? 8 : one)),
    )
    expect(columnWidths(specs, 22)).toEqual([12, null, null, 8])
  })

  it('stand in the same place in every row', () => {
    fc.assert(
      fc.property(
        fc.array(outside, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 22, max: 120 }),
        (cells, columns) => {
          const widths = columnWidths(specs, columns)
          const total =
            widths.reduce<number>((sum, one) => sum + (one ?? 0), 0) +
            2 * (widths.filter((one) => one !== null).length - 1)
          expect(lineWidth(rowSpans(specs, widths, cells, '…'))).toBe(total)
          expect(total).toBeLessThanOrEqual(columns)
        },
      ),
    )
  })
})

describe('amounts', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [200_000, '3 min 20 s'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [273_600_000, '3 d 4 h'],
    [-5, '0 s'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text)
  })

  it.each([
    [900, 'now'],
    [1000, '1 s ago'],
    [61_000, '1 min ago'],
    [7_300_000, '2 h ago'],
    [90_000_000, '1 d ago'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(ageText(milliseconds)).toBe(text)
  })
})
