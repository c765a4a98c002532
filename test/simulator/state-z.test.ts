import { describe, expect, test } from 'vitest'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { log, scenarioOf, start } from './client.js'
import { elect, PREFERRED, reassign, UNCLEAN } from './requests.js'

/**
 * kafka-facts, state Z: the last known leader is alive, with an empty log. Any touch makes it leader and cuts all others to
 * nothing. What does not touch leaves them whole.
 */
function stateZ(more: object = {}, roles: object = { lastKnownElr: [1] }) {
  return scenarioOf({
    brokers: [1, 2, 3, 4].map((id) => ({
      id,
      logDirs: ['/data/a', '/data/b'],
      ...(id === 4 ? { state: 'down' } : {}),
    })),
    topics: [
      {
        name: 'ledger',
        partitions: [
          {
            partition: 0,
            assignment: [2, 1, 3],
            leader: -1,
            leaderEpoch: 4,
            ...roles,
            logs: {
              1: log(0, 0, []),
              2: log(0, 80, [
                [0, 0],
                [3, 50],
              ]),
              3: log(0, 75, [
                [0, 0],
                [3, 50],
              ]),
            },
          },
        ],
      },
    ],
    ...more,
  })
}

/** Everybody's log is empty. Whoever leads by now: after a drop, or the timer's next turn, it is another one. */
function wiped(running: RunningSimulator): void {
  const found = running.inspect().partition('ledger', 0)!
  expect(found.leader).not.toBe(-1)
  for (const [broker, { logStartOffset, logEndOffset }] of found.logs) {
    expect([broker, logStartOffset, logEndOffset]).toEqual([broker, 0, 0])
  }
}

function whole(running: RunningSimulator): void {
  const found = running.inspect().partition('ledger', 0)!
  expect(found.leader).toBe(-1)
  expect(found.logs.get(2)).toMatchObject({ logEndOffset: 80 })
  expect(found.logs.get(3)).toMatchObject({ logEndOffset: 75 })
}

type Touch = readonly [name: string, touch: (running: RunningSimulator) => Promise<unknown>]

const touches: readonly Touch[] = [
  ['a reassignment that only re-orders', (running) => reassign(running, 2, 'ledger', 0, [3, 2, 1])],
  ['a reassignment that drops it', (running) => reassign(running, 2, 'ledger', 0, [2, 3])],
  ['a preferred election', (running) => elect(running, 2, PREFERRED, 'ledger', [0])],
  ['an unclean election with another replica first', (running) => elect(running, 2, UNCLEAN, 'ledger', [0])],
  ['its restart', (running) => running.apply({ brokerRestart: 1 })],
  ['its restart after a kill', (running) => running.apply({ brokerRestart: { broker: 1, kill: true } })],
  ['any other broker that comes back', (running) => running.apply({ brokerUp: 4 })],
]

describe('state Z: with ELR', () => {
  test.each(touches)('%s sets it off', async (_, touch) => {
    const running = await start(stateZ())
    whole(running)
    await touch(running)
    wiped(running)
  })

  test('the controller’s own timer sets it off', async () => {
    const running = await start(stateZ({ leaderImbalanceCheckMs: 5 }))
    await expect.poll(() => running.inspect().partition('ledger', 0)!.leader).not.toBe(-1)
    wiped(running)
  })

  test('reading, another broker that goes, and an election of another partition do not', async () => {
    const running = await start(stateZ())
    await running.apply({ brokerDown: 3 })
    expect(await elect(running, 2, UNCLEAN, 'ledger', [5])).toEqual([3])
    whole(running)
  })

  test('what worked: stop it, re-order, elect, put back, start it: it follows, and nothing is lost', async () => {
    const running = await start(stateZ())
    await running.apply({ brokerDown: 1 })
    whole(running)
    expect(await reassign(running, 2, 'ledger', 0, [2, 3, 1])).toBe(0)
    expect(await elect(running, 2, UNCLEAN, 'ledger', [0])).toEqual([0])
    expect(await reassign(running, 2, 'ledger', 0, [2, 1, 3])).toBe(0)
    await running.apply({ brokerUp: 1 })
    const found = running.inspect().partition('ledger', 0)!
    expect(found).toMatchObject({ leader: 2, isr: [2, 3, 1], replicas: [2, 1, 3] })
    expect([...found.logs.values()].map(({ logEndOffset }) => logEndOffset)).toEqual([80, 80, 80])
  })
})

describe('state Z without ELR: the emptied one alone is in the ISR', () => {
  const roles = { isr: [1], lastKnownElr: [] }
  test.each(touches)('%s sets it off', async (_, touch) => {
    const running = await start(stateZ({ elr: false }, roles))
    await touch(running)
    wiped(running)
  })
})

describe('how one gets there', () => {
  test.each([
    ['replaced', { replaceLogDir: { broker: 1, path: '/data/a' } }],
    ['taken out of log.dirs', { removeLogDir: { broker: 1, path: '/data/a' } }],
  ])(
    'the last leader’s directory failed and was %s: leaderless, alive and empty; the next touch wipes',
    async (_, event) => {
      const running = await start(
        scenarioOf({
          brokers: [
            { id: 1, logDirs: ['/data/a', '/data/b'], failedLogDirs: ['/data/a'] },
            { id: 2, logDirs: ['/data/a'] },
            { id: 3, logDirs: ['/data/a'], state: 'down' },
          ],
          topics: [
            {
              name: 'ledger',
              partitions: [
                {
                  partition: 0,
                  assignment: [1, 2, 3],
                  leader: -1,
                  leaderEpoch: 4,
                  elr: [1],
                  lastKnownElr: [1],
                  logs: { 1: log(0, 90, [[0, 0]]), 2: log(0, 80, [[0, 0]]), 3: log(0, 75, [[0, 0]]) },
                },
              ],
            },
          ],
        }),
      )
      await running.apply(event)
      const between = running.inspect().partition('ledger', 0)!
      expect(between).toMatchObject({ leader: -1, isr: [], lastKnownElr: [1] })
      expect(between.logs.get(1)).toMatchObject({ logEndOffset: 0 })
      expect(between.logs.get(2)).toMatchObject({ logEndOffset: 80 })
      await running.apply({ brokerUp: 3 })
      wiped(running)
    },
  )

  test.each([true, false])(
    'its disk was replaced while it was down: the same when it starts; electedAtOnce: %s',
    async (electedAtOnce) => {
      const running = await start(stateZ({}, { elr: [1], lastKnownElr: [1] }))
      await running.apply({ brokerDown: 1 })
      await running.apply({ replaceLogDir: { broker: 1, path: '/data/a', electedAtOnce } })
      await running.apply({ brokerUp: 1 })
      if (electedAtOnce) {
        wiped(running)
        return
      }
      whole(running)
      // The first touch after its start finds it where it is.
      await running.apply({ brokerUp: 4 })
      wiped(running)
    },
  )

  test('or it leads at once, when the controller knows the new directory before it is unfenced', async () => {
    const running = await start(stateZ({}, { elr: [1], lastKnownElr: [1] }))
    await running.apply({ replaceLogDir: { broker: 1, path: '/data/a', electedAtOnce: true } })
    wiped(running)
  })
})

describe('the emptied broker is stopped before anybody touches the partition (as test/kafka/repair-state-z.test.ts measures it)', () => {
  const partition = (running: RunningSimulator) => running.inspect().partition('ledger', 0)!

  test('SIGTERM: no touch makes it leader any more', async () => {
    const running = await start(stateZ())
    await running.apply({ brokerDown: 1 })
    expect(await reassign(running, 2, 'ledger', 0, [2, 3, 1])).toBe(0)
    whole(running)
    expect(partition(running)).toMatchObject({ leader: -1, leaderEpoch: 4, lastKnownElr: [1] })
  })

  test('SIGKILL: until its session has run out a touch makes it leader, dead as it is; nobody is cut, and it is leaderless again after', async () => {
    const running = await start(stateZ())
    await running.apply({ brokerDown: { broker: 1, kill: true, fencedAfterMs: 400 } })
    expect(await reassign(running, 2, 'ledger', 0, [2, 3, 1])).toBe(0)
    expect(partition(running)).toMatchObject({ leader: 1, isr: [1], leaderEpoch: 5 })
    expect(partition(running).logs.get(2)).toMatchObject({ logEndOffset: 80 })
    // A producer finds nobody there.
    await running.apply({ appendRecords: { topic: 'ledger', partition: 0, records: 5 } })
    expect(partition(running).logs.get(1)).toMatchObject({ logEndOffset: 0 })
    await expect.poll(() => partition(running).leader).toBe(-1)
    whole(running)
    expect(partition(running)).toMatchObject({ isr: [], elr: [1], lastKnownElr: [1] })
    expect(await elect(running, 2, UNCLEAN, 'ledger', [0])).toEqual([0])
    expect(partition(running)).toMatchObject({ leader: 2 })
  })
})
