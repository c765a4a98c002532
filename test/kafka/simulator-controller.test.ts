import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChangeRequest, changePartition } from '../../src/simulator/controller/partition-change.js'
import type { Registration } from '../../src/simulator/model/registration.js'
import { kafkaJars } from './harness/jars.js'

// The simulated controller decides as 4.4.0's own class does, over thousands of partitions in every state: the class is run.

const ORACLE = fileURLToPath(new URL('simulator/PartitionChanges.java', import.meta.url))
const COUNT = 20_000

interface Case {
  readonly registration: Registration
  readonly request: Omit<ChangeRequest, 'isAcceptable'>
  readonly acceptable: readonly number[]
}

const subsetOf = (list: readonly number[]) => fc.subarray([...list])
const shuffled = (list: readonly number[]) => fc.shuffledSubarray([...list])

const cases: fc.Arbitrary<Case> = fc
  .record({
    replicas: fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 1, maxLength: 4 }),
    extra: fc.constantFrom(6, 7),
    elrEnabled: fc.boolean(),
    hasLeader: fc.boolean(),
  })
  .chain(({ replicas, extra, elrEnabled, hasLeader }) =>
    fc
      .record({
        isr: shuffled(replicas),
        elr: elrEnabled ? shuffled(replicas) : fc.constant<number[]>([]),
        lastKnownElr: elrEnabled
          ? fc.subarray([...replicas], { maxLength: Math.min(2, replicas.length) })
          : fc.constant<number[]>([]),
        moving: fc.option(fc.record({ removing: subsetOf(replicas), adding: subsetOf(replicas) }), { freq: 3 }),
        election: fc.constantFrom('online' as const, 'preferred' as const, 'unclean' as const),
        acceptable: subsetOf([...replicas, extra]),
        minIsr: fc.integer({ min: 1, max: replicas.length }),
        touch: fc.oneof(
          fc.constant({}),
          fc.record({ isr: shuffled([...replicas, extra]) }),
          fc.record({ uncleanShutdown: fc.constantFrom(...replicas) }),
          reassignment(replicas, extra),
        ),
      })
      .map(({ isr, elr, lastKnownElr, moving, election, acceptable, minIsr, touch }) => {
        const leader = hasLeader ? (isr[0] ?? -1) : -1
        const removing = moving?.removing ?? []
        return {
          registration: {
            replicas,
            isr,
            elr: elr.filter((member) => !isr.includes(member)),
            lastKnownElr,
            leader,
            leaderEpoch: 7,
            removing,
            adding: (moving?.adding ?? []).filter((member) => !removing.includes(member)),
          },
          request: { election, minIsr, elrEnabled, ...completed(touch, isr) },
          acceptable,
        }
      }),
  )

/** As a reassignment request sets its targets: what is wanted, then what goes. */
function reassignment(replicas: readonly number[], extra: number) {
  return fc.shuffledSubarray([...replicas, extra], { minLength: 1 }).map((wanted) => {
    const removing = replicas.filter((member) => !wanted.includes(member)).sort((a, b) => a - b)
    const adding = wanted.filter((member) => !replicas.includes(member))
    return {
      replicas: [...wanted, ...removing],
      ...(removing.length > 0 ? { removing } : {}),
      ...(adding.length > 0 ? { adding } : {}),
    }
  })
}

/** A broker that stopped uncleanly leaves the ISR in the same change. */
function completed(touch: Partial<ChangeRequest>, isr: readonly number[]): Partial<ChangeRequest> {
  const { uncleanShutdown } = touch
  return uncleanShutdown === undefined
    ? touch
    : { uncleanShutdown, isr: isr.filter((member) => member !== uncleanShutdown) }
}

const optional = (list: readonly number[] | undefined): string => (list === undefined ? '-' : list.join())

function lineOf({ registration, request, acceptable }: Case): string {
  const { replicas, isr, elr, lastKnownElr, leader, leaderEpoch, removing, adding } = registration
  return [
    replicas,
    isr,
    elr,
    lastKnownElr,
    leader,
    leaderEpoch,
    removing,
    adding,
    request.election,
    acceptable,
    request.minIsr,
    request.elrEnabled,
    optional(request.isr),
    optional(request.replicas),
    optional(request.removing),
    optional(request.adding),
    request.uncleanShutdown ?? '-',
  ].join(';')
}

function ours({ registration, request, acceptable }: Case): string {
  const next = changePartition(registration, {
    ...request,
    isAcceptable: (broker) => acceptable.includes(broker) && broker !== request.uncleanShutdown,
  })
  if (next === null) return 'nothing'
  const { replicas, isr, elr, lastKnownElr, leader, leaderEpoch, removing, adding } = next
  return [replicas, isr, elr, lastKnownElr, leader, leaderEpoch, removing, adding].join(';')
}

test(`${COUNT} partitions in every state: the same leader, epoch, ISR, ELR, last known ELR and assignment as 4.4.0`, async () => {
  const { classpath } = await kafkaJars('4.4.0')
  const sample = fc.sample(cases, { numRuns: COUNT, seed: 1275 }).map((one) => ({
    ...one,
    acceptable: one.acceptable.filter((broker) => broker !== one.request.uncleanShutdown),
  }))
  const { stdout } = await execa('java', ['-Xmx200m', '-cp', classpath, ORACLE], {
    input: sample.map(lineOf).join('\n'),
    stderr: 'ignore',
  })
  const theirs = stdout.split('\n')
  expect(theirs).toHaveLength(COUNT)
  const different = sample.flatMap((one, index) => {
    const mine = ours(one)
    return mine === theirs[index] ? [] : [{ case: lineOf(one), ours: mine, theirs: theirs[index] }]
  })
  expect(different.slice(0, 5)).toEqual([])
  expect(new Set(theirs).size).toBeGreaterThan(1000)
})
