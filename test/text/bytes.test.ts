import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { bytesText } from '../../src/text/bytes.js'

// Sizes read alike on the screen and on the command line.

const GiB = 1024 ** 3

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.0 KiB'],
  [1536 * 1024, '1.5 MiB'],
  [12 * GiB, '12 GiB'],
  [999 * GiB, '999 GiB'],
  [1000 * GiB, '0.97 TiB'],
  [1023 * GiB, '0.99 TiB'],
  [1024 * GiB - 1, '0.99 TiB'],
  [1024 * GiB, '1.0 TiB'],
  [2 ** 60, '1,024 PiB'],
])('%j bytes: %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

describe('whatever the size', () => {
  it('has at most three digits before the point, and is never told larger than it is', () => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
    fc.assert(
      fc.property(fc.integer({ min: 1024, max: 2 ** 52 }), (bytes) => {
        const [number = '', unit = ''] = bytesText(bytes).split(' ')
        expect(number).toMatch(/^(\d{2,3}|\d\.\d|0\.\d\d)$/)
        const told = Number(number) * 1024 ** units.indexOf(unit)
        expect(told).toBeLessThanOrEqual(bytes * (1 + 1e-12))
        expect(told).toBeGreaterThan(bytes * 0.9)
      }),
      { numRuns: 200 },
    )
  })
})
