import { describe, expect, it } from 'vitest'
import { conditionOf } from '../../../src/console/repairing/run-step.js'

// What is asked for before a broker is started says what its host must be like: the wrong disk wipes the others.

const repair = (way: 'keep' | 'replace' | 'remove') => ({
  way,
  reading: {
    path: '/data/b',
    seenEmptiedAt: null,
    otherFailed: [
      { path: '/data/c', affected: 1, holds: 2 },
      { path: '/data/d', affected: 1, holds: 0 },
    ] as never,
  },
})

describe('the condition of a start', () => {
  it('names the old contents, the new disk or the configuration, as the way is', () => {
    expect(conditionOf(repair('keep'), 'start')).toMatch(
      /^Only with the OLD contents of \/data\/b and \/data\/c in place/,
    )
    expect(conditionOf(repair('replace'), 'start')).toMatch(/^Only once the new disk is at \/data\/b, and formatted/)
    expect(conditionOf(repair('remove'), 'restart')).toMatch(/^Only once \/data\/b is out of log\.dirs/)
  })

  it('nothing is asked of a stop or a check', () => {
    for (const way of ['keep', 'replace', 'remove'] as const) {
      expect(conditionOf(repair(way), 'stop')).toBe('')
      expect(conditionOf(repair(way), 'checkDisk')).toBe('')
    }
  })
})
