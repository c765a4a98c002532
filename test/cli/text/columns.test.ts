import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { columns } from '../../../src/cli/text/columns.js'
import { bytesText, lossText } from '../../../src/cli/text/words.js'

const heads = [{ title: 'PARTITION', mayCut: true }, { title: 'END', align: 'right' }, { title: 'NOTE' }] as const
const long = `${'a'.repeat(245)}-17`

describe('columns', () => {
  test('a pipe gets whole names, a terminal gets them cut in the middle with the partition number kept', () => {
    expect(columns(heads, [[long, '1', 'x']], null)[1]).toContain(long)
    const [, row = ''] = columns(heads, [[long, '1', 'x']], 80)
    expect(row.length).toBeLessThanOrEqual(80)
    expect(row).toMatch(/^a+\.\.\.a+-17 /)
  })

  test('numbers stand right, wide characters take two columns', () => {
    expect(
      columns(
        heads,
        [
          ['名前-0', '5', 'n'],
          ['b-1', '1,000', ''],
        ],
        null,
      ),
    ).toEqual(['PARTITION    END  NOTE', '名前-0         5  n', 'b-1        1,000'])
  })

  test('no line is wider than the terminal where names can be cut, and nothing else is lost', () => {
    const row = fc.tuple(fc.string({ maxLength: 249 }), fc.nat().map(String), fc.constantFrom('', 'note'))
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 40, max: 200 }), (rows, width) => {
        const lines = columns(heads, rows, width)
        expect(lines).toHaveLength(rows.length + 1)
        lines.forEach((line, index) => {
          expect(stringWidth(line)).toBeLessThanOrEqual(width)
          expect(line).toContain(rows[index - 1]?.[1] ?? 'END')
        })
      }),
    )
  })
})

test('a loss is never a bare number while a replica is unread', () => {
  expect(lossText({ known: null, atLeast: 0 })).toBe('0 + ?')
  expect(lossText({ known: null, atLeast: 1361 })).toBe('1,361 + ?')
  expect(lossText({ known: 361, atLeast: 361 })).toBe('361')
})

test.each([
  [null, '?'],
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.0 KiB'],
  [1536 * 1024, '1.5 MiB'],
])('%j bytes: %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
