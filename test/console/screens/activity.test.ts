import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noticeSentence, noticeWithin } from '../../../src/console/screens/activity/notice-sentence.js'
import type { Notice } from '../../../src/recovery/live/notices.js'
import { displayWidth } from '../../../src/text/display-width.js'

// A row of the Activity view tells what happened, however narrow the screen and long the names: names go first, the verb never.

const at = new Date('2026-01-01T03:07:00Z')
const name = fc.stringMatching(/^[a-z._-]{1,120}$/)
const partitions = fc.array(fc.record({ topic: name, partition: fc.integer({ min: 0, max: 99_999 }) }), {
  minLength: 1,
  maxLength: 60,
})
const broker = fc.integer({ min: 0, max: 2_147_483_647 })
const long =
  'Broker 6 is up with an EMPTY log of 1 partition that it led last. Any moment it may become leader and wipe 4, 5.'

/** The notice, and what of it must be told. */
const told: fc.Arbitrary<readonly [Notice, RegExp]> = fc.oneof(
  fc
    .tuple(partitions, broker, fc.boolean())
    .map(
      ([some, leader, byItself]) =>
        [
          { at, kind: 'leadersCameBack', partitions: some, leader, byItself } as const,
          byItself ? /by itself\.$/ : /elected here\.$/,
        ] as const,
    ),
  partitions.map((some) => [{ at, kind: 'wentOffline', partitions: some } as const, /went OFFLINE\.$/] as const),
  partitions.map(
    (some) => [{ at, kind: 'vanished', partitions: some } as const, /not shown (to this user|any more)\.$/] as const,
  ),
  fc
    .tuple(partitions, broker)
    .map(
      ([some, leader]) =>
        [
          { at, kind: 'alarmCameTrue', partitions: some, broker: leader, text: long } as const,
          new RegExp(`HAPPENED: (broker )?${leader} leads .*others lose`),
        ] as const,
    ),
  broker.map(
    (id) =>
      [
        { at, kind: 'alarmRaised', code: 'emptyLogMayLead', broker: id, text: long } as const,
        /^ALARM.*EMPTY log.*wipe/,
      ] as const,
  ),
  fc
    .tuple(broker, fc.string({ minLength: 1, maxLength: 200 }))
    .map(
      ([id, path]) => [{ at, kind: 'logDir', broker: id, path: `/${path}`, now: 'failed' } as const, /FAILED/] as const,
    ),
)

describe('a notice', () => {
  it('keeps its verb, and what it is about, on every screen', () => {
    fc.assert(
      fc.property(told, fc.integer({ min: 47, max: 140 }), ([notice, verb], width) => {
        const text = noticeWithin(notice, width, '…')
        expect(text).toMatch(verb)
        // What is longer even so names a path of the cluster's at its end.
        if (notice.kind !== 'logDir') expect(displayWidth(text)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('is whole where there is room', () => {
    const notice: Notice = {
      at,
      kind: 'leadersCameBack',
      leader: 5,
      byItself: true,
      partitions: [1, 2, 3, 4].map((partition) => ({ topic: 'orders', partition })),
    }
    expect(noticeSentence(notice)).toBe(
      'orders-1, orders-2, orders-3 and 1 more (4 partitions) have a leader again, broker 5, by itself.',
    )
    expect(noticeWithin(notice, 67, '…')).toBe('4 partitions have a leader again, broker 5, by itself.')
    expect(noticeWithin(notice, 47, '…')).toBe('4 led again by 5, by itself.')
  })
})
