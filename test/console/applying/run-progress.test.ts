import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterEvent,
  left,
  newRun,
  phaseText,
  type RunUnderWay,
  remainingMs,
  shareDone,
} from '../../../src/console/applying/run-progress.js'
import type { OutcomeResult, RecoveryPhase } from '../../../src/recovery/apply/outcome.js'

// Proves: what is shown of a run adds up at every moment, and never goes backwards.

const PLAN = {
  planId: 'p',
  clusterId: 'c',
  createdAt: new Date(0),
  method: 'reorder',
  strategy: 'rank',
  partitions: [],
  skipped: [],
} as const
const STARTED = new Date('2026-01-01T03:00:00Z')
const PHASES: readonly RecoveryPhase[] = ['read logs', 'journal', 're-order', 'elect', 'verify', 'put back']
const RESULTS: readonly OutcomeResult[] = [
  'elected',
  'alreadyHasLeader',
  'failed',
  'skipped',
  'stale',
  'notAttempted',
  'unknown',
]

const outcome = (partition: number, result: OutcomeResult) => ({
  type: 'outcome' as const,
  outcome: {
    topic: 'orders',
    partition,
    result,
    code: null,
    error: null,
    leader: null,
    designatedLeader: null,
    attempts: 0,
    loss: { predicted: null, measured: null },
  },
})

const run = (total: number, batches: number): RunUnderWay =>
  afterEvent(newRun(PLAN, 'all', STARTED), { type: 'started', total, batches })

describe('a run under way', () => {
  it('every outcome is counted once: done, failed, skipped and left are the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...RESULTS), { maxLength: 30 }), fc.nat(10), (results, more) => {
        const total = results.length + more
        const now = results.reduce((before, result, index) => afterEvent(before, outcome(index, result)), run(total, 1))
        const { done, failed, skipped } = now.counts
        expect(done + failed + skipped + left(now)).toBe(total)
        expect(left(now)).toBe(more)
        expect(now.failures).toHaveLength(failed)
      }),
    )
  })

  it('its share grows with phases and batches, from 0, and stays below 1 until the end', () => {
    let now = run(2_000, 2)
    let share = shareDone(now)
    expect(share).toBe(0)
    for (const batch of [1, 2]) {
      for (const phase of PHASES) {
        now = afterEvent(now, { type: 'phase', phase, batch, batches: 2 })
        expect(shareDone(now)).toBeGreaterThanOrEqual(share)
        share = shareDone(now)
      }
    }
    expect(share).toBeLessThan(1)
    expect(phaseText(now)).toBe('batch 2 of 2: put back')
  })

  it('tells no remaining time before it can', () => {
    const at = (seconds: number) => new Date(STARTED.getTime() + seconds * 1000)
    expect(remainingMs(run(10, 1), at(5))).toBeNull()
    const half = afterEvent(run(10, 1), { type: 'phase', phase: 'elect', batch: 1, batches: 1 })
    expect(shareDone(half)).toBe(0.5)
    expect(remainingMs(half, at(6))).toBe(6000)
  })
})
