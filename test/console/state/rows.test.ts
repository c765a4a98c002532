import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRows, parseFilter } from '../../../src/console/state/rows.js'

// Proves: filter and sort say the same whatever was asked before, and cost nothing where nothing changed.

interface Row {
  readonly name: string
  readonly lost: number
}
const kind = {
  key: ({ name }: Row) => name,
  words: ({ name, lost }: Row) => `${name} 8x ${lost}`,
  sorts: [
    { id: 'read', label: 'as read', compare: null },
    { id: 'lost', label: 'most lost', compare: (a: Row, b: Row) => b.lost - a.lost },
  ],
}
const rows: readonly Row[] = Array.from({ length: 30 }, (_, index) => ({
  name: `Orders-${index}`,
  lost: (index * 7) % 11,
}))

describe('createRows', () => {
  it('filters as if asked for the first time, whatever was typed before', () => {
    const text = fc.constantFrom('', '1', '12', '!1', '!12', 'orders', 'ORDERS-2', '8x', '!', 'none at all', ' 1 ')
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.constantFrom(null, 'read', 'lost')), { minLength: 1 }), (asked) => {
        const remembering = createRows(kind)
        for (const [filter, sort] of asked) {
          const result = remembering(rows, { filter, sort })
          const fresh = createRows(kind)(rows, { filter, sort })
          expect(result.rows).toEqual(fresh.rows)
          const wanted = parseFilter(filter)
          const all = sort === 'lost' ? [...rows].sort((a, b) => b.lost - a.lost) : rows
          const passes = (row: Row) =>
            wanted === null || kind.words(row).toLowerCase().includes(wanted.needle) !== wanted.invert
          expect(result.rows).toEqual(all.filter(passes))
          expect(result.total).toBe(rows.length)
        }
      }),
    )
  })

  it('gives the same object for the same question', () => {
    const make = createRows(kind)
    expect(make(rows, { filter: '1', sort: null })).toBe(make(rows, { filter: '1', sort: null }))
    expect(make(rows, { filter: '1', sort: null })).not.toBe(make([...rows], { filter: '1', sort: null }))
  })
})

describe('parseFilter', () => {
  it.each([
    ['', null],
    ['!', null],
    ['  ', null],
    ['Orders', { needle: 'orders', invert: false }],
    ['!8x 2+', { needle: '8x 2+', invert: true }],
    ['.*', { needle: '.*', invert: false }],
  ])('%j', (text, meaning) => {
    expect(parseFilter(text)).toEqual(meaning)
  })
})
