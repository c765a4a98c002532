import { describe, expect, it } from 'vitest'
import { newList, settle } from '../../../src/console/state/list-state.js'
import { listOf, newUi, withList } from '../../../src/console/state/ui-state.js'

// Marks that several views share follow their row from one list to another; everything else of a list stays its own.

const groupA = { screen: 'group', params: { group: 'A', marks: 'partitions' } }
const groupB = { screen: 'group', params: { group: 'B', marks: 'partitions' } }
const rows = (keys: readonly string[], start?: number | null) => ({
  length: keys.length,
  keyAt: (index: number) => keys[index]!,
  ...(start === undefined ? {} : { start }),
})

describe('shared marks', () => {
  it('are the same in every view that names them, and in no other', () => {
    const ui = withList(newUi('partitions'), { ...newList(), marks: new Set(['orders-1']), filter: 'or' }, groupB)
    expect([...listOf(ui, groupA).marks]).toEqual(['orders-1'])
    expect(listOf(ui, groupA).filter).toBe('')
    expect(listOf(ui, { screen: 'brokers', params: {} }).marks.size).toBe(0)
    const unmarked = withList(ui, { ...listOf(ui, groupA), marks: new Set() }, groupA)
    expect(listOf(unmarked, groupB).marks.size).toBe(0)
    expect(listOf(unmarked, groupB).filter).toBe('or')
  })

  it('change nothing where nothing changed', () => {
    const ui = withList(newUi('partitions'), { ...newList(), marks: new Set(['orders-1']) }, groupB)
    expect(withList(ui, listOf(ui, groupB), groupB)).toBe(ui)
  })
})

describe('where a cursor begins', () => {
  it('is the row that the list names, once', () => {
    const settled = settle(newList(), rows(['a', 'b', 'c'], 1))
    expect(settled.cursor).toBe('b')
    expect(settle(settled, rows(['a', 'b', 'c'], 2)).cursor).toBe('b')
  })

  it('is nowhere while what matters may still come', () => {
    expect(settle(newList(), rows(['a'], null)).cursor).toBeNull()
  })
})
