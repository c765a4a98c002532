import { createRequire } from 'node:module'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameLines } from '../../../src/console/painter/frame-lines.js'
import { findScroll, scrolled } from '../../../src/console/painter/scroll.js'
import { updateBytes } from '../../../src/console/painter/update.js'

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless')

// Proves: whatever frames follow each other, a real terminal shows the newest one after each update, with its styles; and how little that costs.

const ROWS = 12
const COLUMNS = 24

function shows(terminal: InstanceType<typeof Terminal>): string[] {
  const buffer = terminal.buffer.active
  return Array.from({ length: ROWS }, (_, row) => {
    const line = buffer.getLine(row)
    let text = ''
    for (let column = 0; column < COLUMNS; column += 1) {
      const cell = line?.getCell(column)
      const character = cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ')
      text += cell?.isInverse() ? `[${character}]` : character
    }
    return text.replace(/ +$/, '')
  })
}

/** What the terminal has to show for a line. */
function expected(line: string): string {
  let inverse = false
  let text = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is looked for
  for (const part of line.split(/(\x1b\[2?7m)/)) {
    if (part === '\x1b[7m') inverse = true
    else if (part === '\x1b[27m') inverse = false
    else for (const character of part) text += inverse ? `[${character}]` : character
  }
  return text.replace(/ +$/, '')
}

const write = (terminal: InstanceType<typeof Terminal>, bytes: string) =>
  new Promise<void>((resolve) => terminal.write(bytes, resolve))

const name = fc.integer({ min: 0, max: 40 }).map((number) => `orders-${number}`)
const line = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: name.map((text) => `\x1b[7m> ${text}\x1b[27m`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '漢字-7',
      '/disk/👦👦👦',
      'ابجد👦',
      '👦'.repeat(COLUMNS / 2),
      'a─b',
      '=========',
      'full'.repeat(COLUMNS / 4),
    ),
  },
)
/** Frames as lists make them: windows on longer lists, changed here and there. */
const frames = fc
  .tuple(
    fc.array(line, { minLength: ROWS, maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(28), fc.nat(ROWS - 1), line, fc.boolean()), { minLength: 2, maxLength: 12 }),
  )
  .map(([all, steps]) =>
    steps.map(([top, row, other, replace]) => {
      const window = all.slice(top % Math.max(1, all.length - 3)).slice(0, ROWS)
      if (replace && row < window.length) window[row] = other
      return window.join('\n')
    }),
  )

describe('updateBytes', () => {
  it('leaves the newest frame on a real terminal, after any frames', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (list) => {
        const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
        await write(terminal, '\x1b[?7l garbage from before\r\nmore of it')
        let before: string[] | null = null
        for (const frame of list) {
          const after = frameLines(frame, ROWS)
          await write(terminal, updateBytes(before, after, COLUMNS))
          expect(shows(terminal)).toEqual(after.map(expected))
          before = after
        }
        terminal.dispose()
      }),
      { numRuns: 150 },
    )
  })

  it('writes nothing where nothing changed, and one line where one did', () => {
    const before = frameLines('a\nb\nc', ROWS)
    expect(updateBytes(before, [...before], COLUMNS)).toBe('')
    expect(updateBytes(before, frameLines('a\nB\nc', ROWS), COLUMNS)).toBe('\x1b[2HB')
    expect(updateBytes(before, frameLines('a\n\nc', ROWS), COLUMNS)).toBe('\x1b[2H\x1b[K')
    expect(updateBytes(null, ['a'], COLUMNS)).toContain('\x1b[1Ha\x1b[K')
  })

  it('does not erase behind the last column: tmux and xterm would take the last character', () => {
    const full = 'x'.repeat(COLUMNS)
    expect(updateBytes(null, [full], COLUMNS)).toBe(`\x1b[1H${full}`)
    expect(updateBytes(null, [`\x1b[7m${full}\x1b[27m`], COLUMNS)).not.toContain('\x1b[K')
  })

  it('moves a block instead of writing it', () => {
    const rows = Array.from({ length: 40 }, (_, row) => `partition-${row} with all its columns and numbers`)
    const before = ['head', ...rows.slice(0, 30), 'foot']
    const after = ['head', ...rows.slice(1, 31), 'foot']
    const bytes = updateBytes(before, after, COLUMNS)
    expect(bytes.length).toBeLessThan(100)
    expect(bytes).toContain('partition-30')
  })

  it('never makes more of an update by moving', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const [first = '', second = ''] = list
        const before = frameLines(first, ROWS)
        const after = frameLines(second, ROWS)
        const plain = after.reduce((sum, text, row) => (before[row] === text ? sum : sum + text.length + 9), 0)
        expect(updateBytes(before, after, COLUMNS).length).toBeLessThanOrEqual(plain + 16)
      }),
    )
  })
})

describe('frameLines', () => {
  it('cuts what is below the screen and fills what is missing', () => {
    expect(frameLines('a\nb\nc', 2)).toEqual(['a', 'b'])
    expect(frameLines('a', 3)).toEqual(['a', '', ''])
    expect(frameLines('a\nb', null)).toEqual(['a', 'b'])
  })
})

describe('findScroll', () => {
  it('says what the terminal will show after the move', () => {
    const before = ['h', '1', '2', '3', '4', '5', 'f']
    const after = ['h', '2', '3', '4', '5', '6', 'f']
    const move = findScroll(before, after)
    expect(move).toEqual({ top: 1, bottom: 5, by: 1 })
    expect(move && scrolled(before, move)).toEqual(['h', '2', '3', '4', '5', '', 'f'])
  })

  it('finds none where lines only stand still or differ', () => {
    expect(findScroll(['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'])).toBeNull()
    expect(findScroll(['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h'])).toBeNull()
  })
})
