import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPainter } from '../../../src/console/painter/painter.js'
import { spokenLines } from '../../../src/console/painter/spoken.js'
import { updateBytes } from '../../../src/console/painter/update.js'
import type { ScreenOutput } from '../../../src/console/terminal/screen-output.js'

// Proves when the painter draws: keys at once, data in its turn, never more than one update under way, and nothing while it is held.

class Line implements ScreenOutput {
  idle = true
  bytes = 0
  muted = false
  onIdle: (() => void) | null = null
  onGone: (() => void) | null = null
  readonly written: string[] = []
  slow = false
  write(text: string): void {
    expect(this.idle).toBe(true)
    this.written.push(text)
    this.idle = !this.slow
  }
  free(): void {
    this.idle = true
    this.onIdle?.()
  }
  finish(): void {}
  close(): void {}
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function painterOn(line: Line) {
  return createPainter(line, { columns: 80, rows: 3, encode: updateBytes, interval: 100 })
}

describe('the painter', () => {
  it('draws data in its turn, the newest only', () => {
    const line = new Line()
    const painter = painterOn(line)
    painter.frame('a')
    expect(line.written).toHaveLength(1)
    painter.frame('b')
    painter.frame('c')
    expect(line.written).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(line.written.slice(1)).toEqual(['\x1b[1Hc'])
    vi.advanceTimersByTime(1000)
    expect(line.written).toHaveLength(2)
  })

  it('draws the answer to a key at once, and data in its turn after it', () => {
    const line = new Line()
    const painter = painterOn(line)
    painter.frame('a')
    painter.urgent()
    painter.frame('b')
    expect(line.written).toHaveLength(2)
    painter.frame('c')
    expect(line.written).toHaveLength(2)
  })

  it('writes nothing for the same frame, and is not slower for the next one', () => {
    const line = new Line()
    const painter = painterOn(line)
    painter.frame('a')
    vi.advanceTimersByTime(100)
    painter.frame('a')
    painter.frame('b')
    expect(line.written).toHaveLength(2)
  })

  it('has one update under way, whatever comes; then the newest', () => {
    const line = new Line()
    line.slow = true
    const painter = painterOn(line)
    painter.frame('a')
    for (let turn = 0; turn < 1000; turn += 1) {
      painter.urgent()
      painter.frame(`frame ${turn}`)
      vi.advanceTimersByTime(10)
    }
    expect(line.written).toHaveLength(1)
    line.free()
    expect(line.written.slice(1)).toEqual(['\x1b[1Hframe 999'])
  })

  it('draws nothing while held, then tells when all of it is out', () => {
    const line = new Line()
    line.slow = true
    const painter = painterOn(line)
    painter.frame('a')
    line.free()
    painter.hold()
    painter.urgent()
    painter.frame('question')
    vi.advanceTimersByTime(1000)
    expect(line.written).toHaveLength(1)
    const drawn = vi.fn()
    painter.release(drawn)
    expect(line.written).toHaveLength(2)
    expect(drawn).not.toHaveBeenCalled()
    line.free()
    expect(drawn).toHaveBeenCalledOnce()
  })

  it('tells of a question only when the frame with it is out, not the one before', () => {
    const line = new Line()
    line.slow = true
    const painter = painterOn(line)
    painter.frame('old')
    painter.hold()
    painter.frame('question')
    const drawn = vi.fn()
    painter.release(drawn)
    line.free()
    expect(line.written.at(-1)).toContain('question')
    expect(drawn).not.toHaveBeenCalled()
    line.free()
    expect(drawn).toHaveBeenCalledOnce()
  })

  it('draws everything after a redraw and after a resize', () => {
    const line = new Line()
    const painter = painterOn(line)
    painter.frame('a\nb')
    painter.redraw()
    expect(line.written.at(-1)).toContain('b\x1b[K\x1b[3H')
    painter.resize({ columns: 80, rows: 4 })
    painter.urgent()
    painter.frame('a\nb')
    expect(line.written.at(-1)).toContain('\x1b[4H')
  })

  it('says nothing more after it is closed', () => {
    const line = new Line()
    const painter = painterOn(line)
    painter.frame('a')
    painter.frame('b')
    painter.close()
    painter.frame('c')
    vi.advanceTimersByTime(1000)
    expect(line.written).toHaveLength(1)
  })
})

describe('spokenLines', () => {
  it('says what was not said before', () => {
    expect(spokenLines(null, ['head', '', 'one'])).toBe('head\r\none\r\n')
    expect(spokenLines(['head', 'one'], ['head', 'two '])).toBe('two\r\n')
    expect(spokenLines(['head'], ['head'])).toBe('')
  })

  it('tells the row that the cursor came to, not the one that it left', () => {
    expect(spokenLines(['>  A', '   B', ' > 2', '   1'], ['   A', '>  B', '   2', ' > 1'])).toBe('>  B\r\n > 1\r\n')
    // A mark that went is a change.
    expect(spokenLines(['>* A'], ['>  A'])).toBe('>  A\r\n')
  })

  it('draws no rules for those who listen', () => {
    expect(spokenLines(null, ['────', 'a', '-----', '-- help --'])).toBe('a\r\n-- help --\r\n')
  })
})
