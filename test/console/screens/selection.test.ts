import { describe, expect, it } from 'vitest'
import { selectionIn } from '../../../src/console/screens/listing/planning.js'
import { newList } from '../../../src/console/state/list-state.js'
import { createRows } from '../../../src/console/state/rows.js'

// What `p` would plan: the marked in sight, else what the filter shows, else all; what is hidden is never planned, and said.

const names = ['orders-1', 'orders-2', 'payments-1', 'payments-2'].map((name) => ({ name }))
const make = createRows<{ readonly name: string }>({
  key: ({ name }) => name,
  words: ({ name }) => name,
  sorts: [{ id: 'name', label: 'by name', compare: null }],
})

function select({ marks = [] as string[], filter = '', rows = names }) {
  const list = { ...newList(), marks: new Set(marks), filter }
  const selection = selectionIn(make(rows, list), list, 'group B')
  return selection.kind === 'refused'
    ? selection
    : { title: selection.title, names: selection.rows.map(({ name }) => name) }
}

describe('the selection', () => {
  it('is the whole list where nothing is marked or filtered', () => {
    expect(select({})).toEqual({ title: 'group B, 4', names: names.map(({ name }) => name) })
  })

  it('is what the filter shows', () => {
    expect(select({ filter: 'orders' })).toEqual({ title: '2 of 4 (filter orders)', names: ['orders-1', 'orders-2'] })
  })

  it('is the marked ones before all', () => {
    expect(select({ marks: ['payments-2'] })).toEqual({ title: '1 of 4 (marked in group B)', names: ['payments-2'] })
  })

  it('leaves out marks that the filter hides, and says how many', () => {
    expect(select({ marks: ['payments-2', 'orders-2'], filter: 'orders' })).toEqual({
      title: '1 of 4 (marked in group B, filter orders); 1 mark hidden',
      names: ['orders-2'],
    })
    expect(select({ marks: ['payments-2'], filter: 'orders' })).toEqual({
      title: '2 of 4 (filter orders); 1 mark hidden',
      names: ['orders-1', 'orders-2'],
    })
  })

  it('is never the whole list where everything marked has left it', () => {
    expect(select({ marks: ['gone-1', 'gone-2'] })).toEqual({
      kind: 'refused',
      reason: expect.stringContaining('2 marked'),
    })
  })

  it('is nothing where the list is empty', () => {
    expect(select({ rows: [] })).toMatchObject({ kind: 'refused' })
  })
})
