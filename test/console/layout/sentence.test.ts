import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, lineWidth, plainText, span } from '../../../src/console/layout/line.js'
import {
  asSentence,
  clauseWithin,
  factLines,
  headingLines,
  wholeSentences,
} from '../../../src/console/layout/sentence.js'

// What does not fit goes on in the next line, or is left out as a whole and counted: nothing ends in the middle of what it says.

const words = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9,.]{1,14}$/), { minLength: 1, maxLength: 12 })
  .map((all) => all.join(' '))
const width = fc.integer({ min: 58, max: 140 })
const text = (lines: readonly Line[]) =>
  lines
    .map((line) => plainText(line).trim())
    .join(' ')
    .replaceAll(/\s+/g, ' ')

describe('facts', () => {
  it('are all there, in order, whatever the width', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), width, (facts, columns) => {
        const lines = factLines(
          facts.map((fact) => span('warning', fact)),
          columns,
        )
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns)
        expect(text(lines)).toBe(facts.join('; '))
      }),
    )
  })
})

describe('a heading', () => {
  it('is wrapped beside what stands at the right, and loses no word', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('', 'logs read 12 s ago'), width, (heading, right, columns) => {
        const lines = headingLines(heading, right, columns)
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns)
        expect(text(lines).replace(right, '').replaceAll(/\s+/g, ' ').trim()).toBe(heading)
      }),
    )
  })
})

describe('sentences in few lines', () => {
  const more = (left: number) => `(${left} more)`

  it('are told whole, and those that do not fit are counted', () => {
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 6 }),
        width,
        fc.integer({ min: 3, max: 6 }),
        (all, columns, most) => {
          const lines = wholeSentences(all, columns, most, '…', more)
          expect(lines.length).toBeLessThanOrEqual(most)
          const told = text(lines)
          const left = Number(/\((\d+) more\)$/.exec(told)?.[1] ?? 0)
          expect(told).toBe([...all.slice(0, all.length - left), ...(left > 0 ? [more(left)] : [])].join(' '))
        },
      ),
    )
  })

  it('cuts a single one that is longer than all of the room, and marks it', () => {
    expect(text(wholeSentences(['one two three four five'], 12, 1, '…', more))).toBe('one two th…')
  })
})

describe('a clause', () => {
  it.each([
    [80, 'Demo: a whole bad night: read the alarms first, elect what is safe'],
    [60, 'Demo: a whole bad night: read the alarms first'],
    [30, 'Demo: a whole bad night'],
    [3, 'De…'],
  ])('ends where it ends, in %i columns', (columns, shown) => {
    expect(clauseWithin('Demo: a whole bad night: read the alarms first, elect what is safe', columns, '…')).toBe(shown)
  })
})

describe('a reason that stands by itself', () => {
  it.each([
    ['nothing is marked', 'Nothing is marked'],
    ['a batch is under way', 'A batch is under way'],
    ['There is nothing to elect', 'There is nothing to elect'],
    ['c takes the changes over', 'c takes the changes over'],
    ['orders-3 is not in the list any more', 'orders-3 is not in the list any more'],
    ['failedLogDirectory cannot be overruled', 'failedLogDirectory cannot be overruled'],
  ])('%s', (reason, sentence) => {
    expect(asSentence(reason)).toBe(sentence)
  })
})
