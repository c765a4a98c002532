import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cursorOf,
  endRange,
  filterList,
  indexOf,
  type ListState,
  moveCursor,
  newList,
  type RowKeys,
  settle,
  toggleMark,
  toggleRange,
  unmarkAll,
} from '../../../src/console/state/list-state.js'

// Proves: cursor and marks belong to keys. Whatever happens to the list, nothing changes what they mean but the operator.

const rowsOf = (keys: readonly string[]): RowKeys => ({ length: keys.length, keyAt: (index) => keys[index]! })
const names = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`)

const list = fc.uniqueArray(
  fc.integer({ min: 0, max: 30 }).map((number) => `p-${number}`),
  { maxLength: 20 },
)
const change = fc.oneof(
  list.map((keys) => ({ kind: 'rows' as const, keys })),
  fc.integer({ min: -25, max: 25 }).map((by) => ({ kind: 'move' as const, by })),
  fc.integer({ min: -25, max: 25 }).map((by) => ({ kind: 'extend' as const, by })),
  fc.constantFrom({ kind: 'mark' as const }, { kind: 'range' as const }, { kind: 'end' as const }),
)

describe('a list that changes under the cursor', () => {
  it('never changes what is marked, nor which row is meant', () => {
    fc.assert(
      fc.property(list, fc.array(change, { maxLength: 30 }), (first, changes) => {
        let rows = rowsOf(first)
        let state: ListState = settle(newList(), rows)
        for (const step of changes) {
          if (step.kind === 'rows') {
            const before = cursorOf(state, rows)
            const { marks } = state
            rows = rowsOf(step.keys)
            state = settle(state, rows)
            const after = cursorOf(state, rows)
            expect(state.marks).toBe(marks)
            if (before.key !== null) {
              expect(after.key).toBe(step.keys.includes(before.key) ? before.key : null)
              expect(after.gone).toBe(step.keys.includes(before.key) ? null : before.key)
            }
            if (before.gone !== null) expect(after.key === null || after.key === before.gone).toBe(true)
          } else if (step.kind === 'move') state = moveCursor(state, rows, { by: step.by })
          else if (step.kind === 'extend') state = moveCursor(state, rows, { by: step.by }, true)
          else if (step.kind === 'mark') {
            const { key } = cursorOf(state, rows)
            const had = key !== null && state.marks.has(key)
            const size = state.marks.size
            state = toggleMark(state, rows)
            if (key === null) expect(state.marks.size).toBe(size)
            else expect(state.marks.has(key)).toBe(!had)
          } else if (step.kind === 'range') state = toggleRange(state, rows)
          else state = endRange(state)
          const { index, key } = cursorOf(state, rows)
          expect(index).toBeGreaterThanOrEqual(0)
          expect(index).toBeLessThan(Math.max(1, rows.length))
          if (key !== null) expect(rows.keyAt(index)).toBe(key)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('an empty list takes its first row as the cursor when one comes, once', () => {
    let state = settle(newList(), rowsOf([]))
    expect(cursorOf(state, rowsOf([])).key).toBeNull()
    state = settle(state, rowsOf(['b', 'c']))
    state = settle(state, rowsOf(['a', 'b', 'c']))
    expect(cursorOf(state, rowsOf(['a', 'b', 'c']))).toEqual({ index: 1, key: 'b', gone: null })
  })

  it('keeps the line of the cursor where it is on the screen', () => {
    let state = moveCursor(settle(newList(), rowsOf(names(50))), rowsOf(names(50)), { to: 20 })
    state.window.top = 15
    state = settle(state, rowsOf(['new-1', 'new-2', ...names(50)]))
    expect([state.index, state.window.top]).toEqual([22, 17])
  })

  it('where the row is gone a step down leads to the one that took its place, a step up to the one before', () => {
    const state = moveCursor(settle(newList(), rowsOf(names(5))), rowsOf(names(5)), { to: 2 })
    const rows = rowsOf(['p-0', 'p-1', 'p-3', 'p-4'])
    expect(moveCursor(state, rows, { by: 1 }).cursor).toBe('p-3')
    expect(moveCursor(state, rows, { by: -1 }).cursor).toBe('p-1')
  })
})

describe('ranges', () => {
  const rows = rowsOf(names(10))
  const at = (index: number) => moveCursor(settle(newList(), rows), rows, { to: index })
  const marks = (state: ListState) => [...state.marks].sort()

  it('grow with shift and arrows, shrink on the way back, and keep the marks from before', () => {
    let state = toggleMark(at(3), rows)
    state = moveCursor(state, rows, { to: 2 })
    for (let step = 0; step < 3; step += 1) state = moveCursor(state, rows, { by: 1 }, true)
    expect(marks(state)).toEqual(['p-2', 'p-3', 'p-4', 'p-5'])
    for (let step = 0; step < 4; step += 1) state = moveCursor(state, rows, { by: -1 }, true)
    expect(marks(state)).toEqual(['p-1', 'p-2', 'p-3'])
    state = moveCursor(state, rows, { by: 5 })
    expect(state.range).toBeNull()
    expect(marks(state)).toEqual(['p-1', 'p-2', 'p-3'])
  })

  it('begun by V follow every move until they are ended', () => {
    let state = toggleRange(at(4), rows)
    state = moveCursor(state, rows, { to: -1 })
    expect(state.marks.size).toBe(6)
    state = toggleRange(state, rows)
    state = moveCursor(state, rows, { to: 0 })
    expect(state.marks.size).toBe(6)
    expect(unmarkAll(state).marks.size).toBe(0)
  })

  it('take in only what was passed, not what the list put in meanwhile', () => {
    let state = toggleRange(at(2), rows)
    state = moveCursor(state, rows, { by: 2 })
    const more = rowsOf(['p-0', 'p-1', 'p-2', 'unseen', 'p-3', 'p-4', 'p-5'])
    state = moveCursor(settle(state, more), more, { by: 1 })
    expect(marks(state)).toEqual(['p-2', 'p-3', 'p-4', 'p-5'])
  })
})

describe('filterList', () => {
  it('keeps the cursor if its row passes, else goes to the first that does', () => {
    const state = moveCursor(settle(newList(), rowsOf(names(9))), rowsOf(names(9)), { to: 4 })
    const kept = rowsOf(['p-1', 'p-4'])
    expect(cursorOf(settle(filterList(state, 'x', kept), kept), kept).key).toBe('p-4')
    const other = rowsOf(['p-7', 'p-8'])
    expect(cursorOf(settle(filterList(state, 'x', other), other), other).key).toBe('p-7')
  })
})

describe('indexOf', () => {
  it('finds what there is, from any hint', () => {
    fc.assert(
      fc.property(list, fc.integer({ min: -5, max: 60 }), fc.nat(30), (keys, hint, wanted) => {
        const found = keys.indexOf(`p-${wanted}`)
        expect(indexOf(rowsOf(keys), `p-${wanted}`, hint)).toBe(found === -1 ? null : found)
      }),
    )
  })
})
