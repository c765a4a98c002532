import type { Clock } from '../../../src/recovery/apply/clock.js'

/** Time that passes only when someone sleeps or works: nothing waits, and an endless loop shows as a time that runs away. */
export class VirtualClock implements Clock {
  private ms = 0

  monotonicMs(): number {
    return this.ms
  }
  now(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.ms)
  }
  async sleep(ms: number): Promise<void> {
    this.ms += ms
    if (this.ms > 24 * 3_600_000) throw new Error('a whole day has passed: it never ends')
  }
  pass(ms: number): void {
    this.ms += ms
  }
}
