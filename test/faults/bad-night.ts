import fc from 'fast-check'
import { ErrorCode } from '../../src/protocol/error-codes.js'
import { ACCEPTABLE_CODES } from '../../src/recovery/planning/plan.js'
import { checkScenario } from '../../src/simulator/scenario.js'
import type { Scenario, ScenarioEvent, ScenarioFault, ScenarioPartition } from '../../src/simulator/scenario-schema.js'

/** Something that goes wrong, or that somebody else does. Plain data: a failing run can be read, and shrinks. */
export type Happening =
  | { readonly kind: 'event'; readonly event: ScenarioEvent }
  | { readonly kind: 'fault'; readonly fault: ScenarioFault }
  /** Another operator's AlterPartitionReassignments: the same brokers in another order, or others. */
  | {
      readonly kind: 'reassign'
      readonly topic: string
      readonly partition: number
      readonly replicas: readonly number[]
    }
  /** The broker is there, and nothing reaches it any more; or it does again. */
  | { readonly kind: 'cable'; readonly broker: number; readonly cut: boolean }
  /** The operator asks for an end. */
  | { readonly kind: 'stop' }

export interface TimedHappening {
  readonly during: 'plan' | 'apply'
  /** It strikes at the nth request that the cluster receives in it, from 1. */
  readonly atRequest: number
  readonly what: Happening
}

export interface BadNight {
  readonly personality: 'stock' | 'kip1275'
  readonly elr: boolean
  readonly up: readonly number[]
  readonly partitions: readonly (ScenarioPartition & { readonly topic: string })[]
  readonly happenings: readonly TimedHappening[]
  /** How far the brokers' view lags behind. ms */
  readonly metadataDelayMs: number
  readonly catchUpOffsetsPerSecond: number | null
  readonly batchSize: number
  readonly attempts: number
  readonly acceptAll: boolean
  readonly method: 'auto' | 'unclean'
  readonly timeLimitMs: number | null
}

export const BROKERS = [1, 2, 3, 4] as const
const TOPICS = ['t', 'u'] as const
const DIRECTORIES = ['/d', '/e'] as const
/** What the program asks, by name; each may be answered with any error. */
const APIS = [
  '*',
  'ApiVersions',
  'Metadata',
  'DescribeCluster',
  'DescribeQuorum',
  'DescribeTopicPartitions',
  'DescribeConfigs',
  'ListOffsets',
  'Fetch',
  'ListPartitionReassignments',
  'AlterPartitionReassignments',
  'ElectLeaders',
  'DescribeLogDirs',
] as const
/** What decides an election is met more often. */
const DECIDING = [
  'AlterPartitionReassignments',
  'ElectLeaders',
  'DescribeTopicPartitions',
  'ListPartitionReassignments',
] as const

const anyBroker = fc.constantFrom(...BROKERS)
const anyTopic = fc.constantFrom(...TOPICS)
const anyApi = fc.oneof(fc.constantFrom(...APIS), fc.constantFrom(...DECIDING))
const anyCode = fc.oneof(
  fc.constantFrom(...Object.values(ErrorCode).filter((code) => code !== 0)),
  // No release has these, or any other number that a later one may bring.
  fc.integer({ min: 137, max: 32_767 }),
)
const times = fc.integer({ min: 1, max: 4 })

function partitionOf(topic: string, partition: number): fc.Arbitrary<BadNight['partitions'][number]> {
  return fc
    .record({
      assignment: fc.shuffledSubarray([...BROKERS], { minLength: 2, maxLength: 4 }),
      ends: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 4 }),
      epochs: fc.array(fc.constantFrom(1, 2, 3), { minLength: 4, maxLength: 4 }),
      role: fc.constantFrom('isr', 'elr', 'lastKnown', 'none', 'none'),
      holder: fc.nat({ max: 3 }),
      directory: fc.constantFrom(...DIRECTORIES),
    })
    .map(({ assignment, ends, epochs, role, holder, directory }) => {
      const member = assignment[holder % assignment.length] as number
      const logs = Object.fromEntries(
        assignment.map((id) => {
          const upTo = epochs[id - 1] ?? 1
          const written = [0, 1, 2, 3].slice(0, upTo + 1).map((epoch): [number, number] => [epoch, epoch * 20])
          return [
            String(id),
            { logDir: directory, logStartOffset: 0, logEndOffset: upTo * 20 + (ends[id - 1] ?? 0), epochs: written },
          ]
        }),
      )
      return {
        topic,
        partition,
        assignment,
        leader: -1,
        leaderEpoch: 5,
        isr: role === 'isr' ? [member] : [],
        elr: role === 'elr' ? [member] : [],
        lastKnownElr: role === 'elr' || role === 'lastKnown' ? [member] : [],
        logs,
      }
    })
}

const anyEvent: fc.Arbitrary<ScenarioEvent> = fc.oneof(
  { weight: 5, arbitrary: anyBroker.map((broker) => ({ brokerUp: broker })) },
  fc.tuple(anyBroker, fc.boolean(), fc.constantFrom(0, 0, 3_000)).map(([broker, kill, fencedAfterMs]) => ({
    brokerDown: { broker, kill, fencedAfterMs },
  })),
  anyBroker.map((broker) => ({ brokerFenced: broker })),
  fc.tuple(anyBroker, fc.boolean()).map(([broker, kill]) => ({ brokerRestart: { broker, kill } })),
  fc.tuple(anyBroker, fc.constantFrom(...DIRECTORIES)).map(([broker, path]) => ({ failLogDir: { broker, path } })),
  fc
    .tuple(anyBroker, fc.constantFrom(...DIRECTORIES), fc.boolean())
    .map(([broker, path, electedAtOnce]) => ({ replaceLogDir: { broker, path, electedAtOnce } })),
  fc.constant<ScenarioEvent>({ controllerDown: true }),
  fc.constantFrom<ScenarioEvent>({ controllerUp: true }, { controllerUp: 3001 }),
  anyTopic.map((topic) => ({ deleteTopic: topic })),
  anyTopic.map((topic) => ({ recreateTopic: topic })),
  fc
    .tuple(anyTopic, fc.nat({ max: 1 }))
    .map(([topic, partition]) => ({ appendRecords: { topic, partition, records: 7 } })),
)

const anyFault: fc.Arbitrary<ScenarioFault> = fc
  .tuple(
    fc.record({ api: anyApi, times }),
    fc.option(anyBroker, { nil: undefined }),
    fc.oneof(
      fc
        .tuple(anyCode, fc.option(fc.tuple(anyTopic, fc.nat({ max: 1 })), { nil: undefined }))
        .map(([error, place]) => ({
          error,
          ...(place === undefined ? {} : { topic: place[0], partition: place[1] }),
        })),
      fc.boolean().map((takesEffect) => ({ closeConnection: true, takesEffect })),
      fc.constantFrom(40, 700, 1_900, 2_500, 9_000).map((delayMs) => ({ delayMs })),
      fc.constant({ silent: true }),
      fc.constantFrom(50, 1_500, 30_000).map((throttleMs) => ({ throttleMs })),
      fc.nat({ max: 1 }).map((requestLimit) => ({ requestLimit })),
      fc
        .constantFrom('truncated' as const, 'oversized' as const, 'garbage' as const)
        .map((malformed) => ({ malformed })),
      fc.constantFrom('fewer' as const, 'twice' as const, 'strangers' as const).map((answered) => ({ answered })),
    ),
  )
  .map(([where, broker, what]) => ({ ...where, ...(broker === undefined ? {} : { broker }), ...what }))

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: anyEvent.map((event): Happening => ({ kind: 'event', event })) },
  { weight: 7, arbitrary: anyFault.map((fault): Happening => ({ kind: 'fault', fault })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyTopic, fc.nat({ max: 1 }), fc.shuffledSubarray([...BROKERS], { minLength: 1, maxLength: 4 }))
      .map(([topic, partition, replicas]): Happening => ({ kind: 'reassign', topic, partition, replicas })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyBroker, fc.boolean()).map(([broker, cut]): Happening => ({ kind: 'cable', broker, cut })),
  },
  { weight: 1, arbitrary: fc.constant<Happening>({ kind: 'stop' }) },
)

const timed: fc.Arbitrary<TimedHappening> = fc.record({
  // What happens during the planning mostly ends in another plan.
  during: fc.constantFrom('plan', 'apply', 'apply', 'apply'),
  atRequest: fc.integer({ min: 1, max: 70 }),
  what: anyHappening,
})

/** Four brokers, of which some are down, four partitions of two topics without a leader, and so much that goes wrong. */
export function anyNight(maxHappenings: number): fc.Arbitrary<BadNight> {
  return fc.record({
    personality: fc.constantFrom('stock', 'stock', 'kip1275'),
    elr: fc.constantFrom(true, true, false),
    up: fc.subarray([...BROKERS], { minLength: 1, maxLength: 4 }),
    partitions: fc.tuple(partitionOf('t', 0), partitionOf('t', 1), partitionOf('u', 0), partitionOf('u', 1)),
    happenings: fc.array(timed, { maxLength: maxHappenings }),
    metadataDelayMs: fc.constantFrom(0, 0, 150, 700),
    catchUpOffsetsPerSecond: fc.constantFrom(null, 5),
    batchSize: fc.constantFrom(1, 3, 1000),
    attempts: fc.integer({ min: 0, max: 3 }),
    acceptAll: fc.boolean(),
    method: fc.constantFrom('auto', 'auto', 'auto', 'unclean'),
    timeLimitMs: fc.constantFrom(null, null, 500, 5_000),
  })
}

export const ACCEPTED = new Set(ACCEPTABLE_CODES)

export function scenarioOf(night: BadNight, responseDelayMs: number): Scenario {
  // A cluster that keeps no ELR has none; of who led last its ISR tells.
  const roles = night.elr ? {} : { elr: [], lastKnownElr: [] }
  const partitionsOf = (name: string) =>
    night.partitions
      .filter(({ topic }) => topic === name)
      .map(({ topic: _, ...partition }) => ({ ...partition, ...roles }))
  const topics = TOPICS.map((name) => ({ name, partitions: partitionsOf(name) }))
  return checkScenario(
    {
      clusterId: 'SIMULATED-bad-night',
      personality: night.personality,
      elr: night.elr,
      brokers: BROKERS.map((id) => ({
        id,
        state: night.up.includes(id) ? 'up' : 'down',
        logDirs: [...DIRECTORIES],
        responseDelayMs,
        metadataDelayMs: night.metadataDelayMs,
      })),
      topics,
      quorum: { voters: [3000, 3001] },
      ...(night.catchUpOffsetsPerSecond === null ? {} : { catchUpOffsetsPerSecond: night.catchUpOffsetsPerSecond }),
    },
    'bad night',
  )
}
