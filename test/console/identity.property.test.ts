import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partitionName } from '../../src/cluster/snapshot.js'
import { planToElect } from '../../src/console/planning/opened-plan.js'
import { PARTITION_MARKS } from '../../src/console/screens/listing/partition-lists.js'
import { WatchedNight } from '../recovery/live/watched-night.js'
import { NightConsole } from './app/night-console.js'

// Proves, on the real console's state, with random clusters that change in any way at any moment, and random keys: what a read brings never changes what is marked,
// where the cursor stands, what is planned and who would lead it; a mark hits the row that was under the cursor, or nothing; what is carried out
// is what stood on the screen when the text was asked for.

const BROKERS = [1, 2, 3, 4]
const NAMES = ['a-0', 'a-1', 'a-2', 'b-0', 'b-1', 'b-2', '__consumer_offsets-0', '__consumer_offsets-1']

type Happening = (night: WatchedNight) => void

const broker = fc.constantFrom(...BROKERS)
const name = fc.constantFrom(...NAMES)
const end = fc.constantFrom(0, 50, 90, 100)

const added = fc.record({ name, ends: fc.tuple(end, end, end), roles: fc.subarray([1, 2, 3], { maxLength: 2 }) })
const add =
  ({
    name: named,
    ends: [one, two, three],
    roles,
  }: typeof added extends fc.Arbitrary<infer T> ? T : never): Happening =>
  (night) => {
    const state = { leader: null, elr: roles, lastKnownElr: roles.slice(0, 1) }
    const [, topic = '', partition = ''] = /^(.*)-(\d+)$/.exec(named) ?? []
    night.add(topic, Number(partition), { 1: one, 2: two, 3: three }, state)
  }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: added.map(add) },
  {
    weight: 3,
    arbitrary: fc.tuple(name, fc.option(broker)).map(([one, leader]): Happening => {
      return (night) => {
        if (night.partitions.has(one)) night.alter(one, { leader })
      }
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(broker, fc.constantFrom('up', 'down', 'fenced' as const)).map(([id, state]): Happening => {
      return (night) => {
        night.brokers.set(id, state)
        for (const [one, { state: at }] of night.partitions) {
          night.alter(one, { offlineReplicas: at.replicas.filter((replica) => night.brokers.get(replica) !== 'up') })
        }
      }
    }),
  },
  {
    weight: 1,
    arbitrary: name.map(
      (one): Happening =>
        (night) =>
          void night.partitions.delete(one),
    ),
  },
  {
    weight: 1,
    arbitrary: name.map((one): Happening => {
      return (night) => {
        if (!night.reassigning.delete(one)) night.reassigning.add(one)
      }
    }),
  },
)
const happenings = fc.array(happening, { minLength: 1, maxLength: 4 })

/** Keys that go round in lists and views, mark, and change what is chosen; none of them carries anything out. */
const keys = fc.constantFrom(
  ...['j', 'j', 'j', 'k', 'k', 'g', 'G', '\x1b[6~', '\x1b[1;2B', '\x1b[1;2A', 'V', 'u', 's', '\r', 'h', 'h', 't', '\t'],
  ...['1', '1', '4', '4', '3', 'o', '/a-\r', '/!a-\r', '/\x15\r', '\x1b', 'c', '-', '+', '=', 'n'],
)

type Step =
  | { readonly kind: 'read'; readonly happen: readonly Happening[] }
  | { readonly kind: 'keys'; readonly keys: string }
  | { readonly kind: 'mark'; readonly happen: readonly Happening[] }
  | { readonly kind: 'planAfterMarkedCameBack' }
  | { readonly kind: 'plan'; readonly keys: 'p' | 'a' | 'b' }
  | { readonly kind: 'elect'; readonly meanwhile: readonly (readonly Happening[])[] }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), happen: happenings }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('keys' as const), keys }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mark' as const), happen: happenings }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'planAfterMarkedCameBack' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), keys: fc.constantFrom('p', 'p', 'a', 'b') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('elect' as const),
      meanwhile: fc.array(happenings, { minLength: 1, maxLength: 3 }),
    }),
  },
)

/** What a read must leave as it is. */
function chosenIn({ ui, data }: NightConsole) {
  return {
    stack: ui.stack,
    cursors: [...ui.lists].map(([view, { cursor, filter, sort }]) => [view, cursor, filter, sort]),
    marks: [...ui.lists].map(([view, { marks }]) => [view, [...marks]]),
    shared: [...(ui.sharedMarks.get(PARTITION_MARKS) ?? [])],
    draft: data.draft?.entries,
    planId: data.plan?.planId,
    scope: data.plan?.scope,
  }
}

/** Who would lead what, by what the plan on the screen says. */
function toElect({ data }: NightConsole): Map<string, number> {
  const now = data.plan?.now
  if (now == null) return new Map()
  return new Map(planToElect(now).partitions.map((one) => [partitionName(one), one.designatedLeader]))
}

class Operator {
  elections = 0
  /** Leaders of the plan on the screen as they were shown first, or since the operator changed something. */
  #shown = new Map<string, number>()
  #planId: string | undefined

  constructor(
    readonly night: WatchedNight,
    readonly console: NightConsole,
  ) {}

  async do(one: Step): Promise<void> {
    switch (one.kind) {
      case 'read':
        return this.read(one.happen)
      case 'keys':
        await this.console.press(one.keys)
        this.look(true)
        // What asks for more than a key is answered with no.
        if (this.console.ui.overlay !== null) await this.console.press('\x1b')
        return
      case 'mark':
        return this.mark(one.happen)
      case 'planAfterMarkedCameBack':
        return this.planAfterMarkedCameBack()
      case 'plan':
        return this.plan(one.keys)
      case 'elect':
        return this.elect(one.meanwhile)
    }
  }

  async read(happen: readonly Happening[]): Promise<void> {
    const before = chosenIn(this.console)
    for (const change of happen) change(this.night)
    await this.console.read()
    const after = chosenIn(this.console)
    // A list that was never filled puts its cursor on its first row, once.
    const cursors = after.cursors.filter(([view]) =>
      before.cursors.some(([known, at]) => known === view && at !== null),
    )
    expect({ ...after, cursors }).toEqual({ ...before, cursors: before.cursors.filter(([, at]) => at !== null) })
    this.look(false)
  }

  /** Nobody leads in a plan but whom the operator saw there. */
  look(byOperator: boolean): void {
    const now = toElect(this.console)
    const { plan } = this.console.data
    if (byOperator || plan?.planId !== this.#planId) this.#shown = new Map()
    this.#planId = plan?.planId
    const scope = new Set(plan?.scope.partitions.map(partitionName))
    for (const [planned, leader] of now) {
      expect(scope).toContain(planned)
      expect([planned, leader]).toEqual([planned, this.#shown.get(planned) ?? leader])
      this.#shown.set(planned, leader)
    }
  }

  /** Something happens between the look at the screen and the space bar. */
  async mark(happen: readonly Happening[]): Promise<void> {
    const { cursor, marks: before } = this.console.list
    await this.read(happen)
    const there = cursor !== null && this.console.keys.includes(cursor)
    const settable = cursor !== null && this.console.mayMark(cursor)
    await this.console.press(' ')
    const { marks } = this.console.list
    const changed = [...new Set([...before, ...marks])].filter((key) => before.has(key) !== marks.has(key))
    // A cursor that stood nowhere may have found its first row by now.
    if (cursor !== null) expect(changed).toEqual(there && settable ? [cursor] : [])
    this.look(true)
  }

  /** What was marked has its leaders back, all of it: nothing else is planned in its place. */
  async planAfterMarkedCameBack(): Promise<void> {
    const { marks } = this.console.list
    await this.read([
      (night) => {
        for (const one of marks) if (night.partitions.has(one)) night.alter(one, { leader: 1 })
      },
    ])
    await this.plan('p')
  }

  async plan(keys: string): Promise<void> {
    const { console } = this
    const { screen, list, keys: rows, data } = console
    const before = data.plan?.planId
    await console.press(keys)
    if (console.wanted?.startsWith('gone ') === true) await console.press(`${console.wanted}\r`)
    if (console.ui.overlay !== null) await console.press('\x1b')
    this.look(true)
    const { plan } = console.data
    if (plan === null || plan.planId === before) return
    const scope = plan.scope.partitions.map(partitionName)
    const marked = rows.filter((key) => list.marks.has(key))
    if (keys === 'p' && screen === 'group') {
      // What is marked and in the list; without any mark all of the list.
      expect(scope.toSorted()).toEqual((marked.length > 0 ? marked : rows).toSorted())
      if (marked.length === 0 && list.filter === '') expect(list.marks.size).toBe(0)
    }
    if (keys === 'p' && screen === 'topics') {
      const topics = marked.length > 0 ? marked : rows
      for (const partition of plan.scope.partitions) expect(topics).toContain(partition.topic)
    }
    if (keys === 'p' && screen === 'partitions') {
      const groups: readonly (string | null)[] = list.marks.size > 0 ? [...list.marks] : [list.cursor]
      const inGroups = data.diagnosis?.groups.filter(({ id }) => groups.includes(id)) ?? []
      const members = inGroups.flatMap(({ partitions }) => partitions.map(partitionName))
      for (const planned of scope) expect(members).toContain(planned)
    }
  }

  /** All the way: whatever happens while the texts are typed, what is carried out is what was on the screen when the last one was asked for. */
  async elect(meanwhile: readonly (readonly Happening[])[]): Promise<void> {
    const { console } = this
    if (console.data.plan?.now == null) return
    if (console.screen !== 'plan') await console.press('4')
    await console.press('a')
    for (let asked = 0; console.wanted !== null && asked < 8; asked += 1) {
      const text = console.wanted
      const standing = toElect(console)
      for (const happen of meanwhile) await this.read(happen)
      // Nothing that is read takes the question away, or changes what it wants.
      expect(console.wanted).toBe(text)
      const before = console.orders.length
      await console.press(`${text}\r`)
      if (!text.startsWith('elect ')) continue
      const order = console.orders.at(before)
      if (order === undefined) break
      expect(text).toBe(`elect ${standing.size} night`)
      expect(new Map(order.plan.partitions.map((one) => [partitionName(one), one.designatedLeader]))).toEqual(standing)
      this.elections += 1
    }
    if (console.ui.overlay !== null) await console.press('\x1b')
    this.look(true)
  }
}

describe('identity', () => {
  it('is by topic and partition, whatever changes under the cursor', { timeout: 120_000 }, async () => {
    let elections = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(added, { selector: ({ name: one }) => one, minLength: 2, maxLength: NAMES.length }),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.boolean(),
        async (partitions, steps, inList) => {
          const night = new WatchedNight({ 1: 'up', 2: 'up', 3: 'down', 4: 'up' })
          for (const one of partitions) add(one)(night)
          const console = new NightConsole(night)
          try {
            await console.read()
            // All offline partitions in one list: there most is marked and planned.
            if (inList) await console.press('o')
            const operator = new Operator(night, console)
            for (const one of steps) await operator.do(one)
            elections += operator.elections
          } finally {
            await console.close()
          }
        },
      ),
      { numRuns: 60, seed: 20_251_130 },
    )
    // Else nothing would be proven of them.
    expect(elections).toBeGreaterThan(5)
  })
})
