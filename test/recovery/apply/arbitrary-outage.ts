import fc from 'fast-check'
import type { FakeCluster, FakePartition, Fault } from './fake-cluster.js'
import { offlinePartition } from './recovery-bench.js'

/** An outage of up to three partitions on four brokers, and what goes wrong while it is being recovered from. */
export interface Outage {
  readonly up: readonly number[]
  readonly partitions: readonly FakePartition[]
  readonly faults: ReadonlyMap<number, Fault>
  readonly lagMs: number
  readonly designated: boolean
  readonly batchSize: number
  readonly attempts: number
}

const BROKERS = [1, 2, 3, 4]

function partitionOf(number: number): fc.Arbitrary<FakePartition> {
  return fc
    .record({
      replicas: fc.shuffledSubarray(BROKERS, { minLength: 2, maxLength: 4 }),
      ends: fc.array(fc.integer({ min: 50, max: 60 }), { minLength: 4, maxLength: 4 }),
      roles: fc.constantFrom('isr', 'elr', 'lastKnown', 'none'),
      holder: fc.nat({ max: 3 }),
    })
    .map(({ replicas, ends, roles, holder }) => {
      const member = replicas[holder % replicas.length]!
      const of = (role: string) => (roles === role ? [member] : [])
      const logs = new Map(
        BROKERS.map((id, index) => [
          id,
          {
            logStartOffset: 0,
            logEndOffset: ends[index]!,
            epochs: [
              { epoch: 0, startOffset: 0 },
              { epoch: 4, startOffset: 40 },
            ],
          },
        ]),
      )
      const lastKnownElr = roles === 'elr' ? [member] : of('lastKnown')
      return offlinePartition(number, { replicas, isr: of('isr'), elr: of('elr'), lastKnownElr, logs })
    })
}

const anyPartition = fc.constantFrom('t-0', 't-1', 't-2')
const mask = fc.integer({ min: 1, max: 7 })

function happening(act: (cluster: FakeCluster) => void, text: string): Fault {
  const happen = (cluster: FakeCluster) => act(cluster)
  return { kind: 'event', happen: Object.assign(happen, { toString: () => text }) }
}

function onPartition(name: string, act: (cluster: FakeCluster, partition: FakePartition) => void, text: string): Fault {
  return happening((cluster) => {
    if (cluster.has(name)) act(cluster, cluster.partition(name))
  }, `${text} ${name}`)
}

const anyEvent: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom(...BROKERS).map((id) => happening((it) => it.brokerUp(id), `up ${id}`)),
  fc.constantFrom(...BROKERS).map((id) => happening((it) => it.brokerDown(id), `down ${id}`)),
  fc
    .tuple(anyPartition, fc.constantFrom(...BROKERS))
    .map(([name, id]) =>
      onPartition(
        name,
        (it, { replicas }) => replicas.includes(id) && it.brokersUp.has(id) && it.leaderAppears(name, id),
        `led by ${id}`,
      ),
    ),
  anyPartition.map((name) =>
    onPartition(name, (it, one) => it.change(one, { reassigning: !one.reassigning }), 'reassigning'),
  ),
  anyPartition.map((name) =>
    onPartition(
      name,
      (it, one) => it.changeByOthers(one, { replicas: [...one.replicas].reverse() }),
      're-ordered by others',
    ),
  ),
  anyPartition.map((name) =>
    onPartition(name, (it, one) => it.changeByOthers(one, { topicId: 'BBBBBBBBBBBBBBBBBBBBBB' }), 'made anew'),
  ),
)

const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 4, arbitrary: anyEvent },
  fc.constantFrom<Fault>({ kind: 'notSent' }, { kind: 'lostAnswer' }, { kind: 'lostRequest' }),
  fc.integer({ min: 100, max: 8_000 }).map((ms): Fault => ({ kind: 'late', ms })),
  fc.tuple(mask, fc.boolean()).map(
    ([of, retriable]): Fault => ({
      kind: 'error',
      mask: of,
      name: retriable ? 'NOT_CONTROLLER' : 'POLICY_VIOLATION',
      retriable,
    }),
  ),
  mask.map((of): Fault => ({ kind: 'doneButError', mask: of, name: 'REQUEST_TIMED_OUT', retriable: true })),
  mask.map((of): Fault => ({ kind: 'omit', mask: of })),
  mask.map((of): Fault => ({ kind: 'nothingDone', mask: of })),
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: 'gone' }) },
)

/** `calm`: mostly nothing happens, so that runs come far. */
export function anyOutage(maxFaults: number): fc.Arbitrary<Outage> {
  return fc.record({
    up: fc.shuffledSubarray(BROKERS, { minLength: 1, maxLength: 3 }),
    partitions: fc.tuple(partitionOf(0), partitionOf(1), partitionOf(2)),
    faults: fc
      .array(fc.tuple(fc.integer({ min: 2, max: 40 }), anyFault), { maxLength: maxFaults })
      .map((faults) => new Map(faults)),
    lagMs: fc.constantFrom(0, 0, 150, 700),
    designated: fc.boolean(),
    batchSize: fc.constantFrom(1, 2, 1000),
    attempts: fc.integer({ min: 0, max: 3 }),
  })
}
