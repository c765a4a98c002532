import { checkScenario } from '../../../src/simulator/scenario.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'

/** What the night is made of, so that a test may say what must come of it. */
export const RACK_OUTAGE = {
  total: 1_800,
  offline: 1_200,
  /** No missing replica has a role. */
  electable: 700,
  /** Of these: with a replica on 8, which says something new when it returns. */
  electableWith8: 240,
  /** Led last by 8, and by 7. */
  waitFor8: 300,
  waitFor7: 190,
  /** Whatever is chosen loses more than it keeps. */
  contested: 10,
} as const

export type Kind = 'electable' | 'electableWith8' | 'waitFor8' | 'waitFor7' | 'contested' | 'healthy'

const LIVE = [1, 2, 3, 4, 5, 6]

/** The topics, and which of the 1,800 each begins with. */
const TOPICS = [
  ['__consumer_offsets', 0, 50],
  ['orders-eu', 50, 650],
  ['payments', 650, 1_250],
  ['shipments', 1_250, 1_800],
] as const

/** What each partition is, and who has the best log of it among the brokers that are up: by `topic-partition`. */
export function partitionKinds(): ReadonlyMap<string, { readonly kind: Kind; readonly best: number }> {
  const spread = kinds()
  return new Map(
    TOPICS.flatMap(([name, from, to]) =>
      spread.slice(from, to).map((kind, partition) => [`${name}-${partition}`, { kind, best: bestOf(partition) }]),
    ),
  )
}

/** Spread over the topics, so that none is of one kind: 727 has no factor in common with 1,800. */
function kinds(): readonly Kind[] {
  const all: Kind[] = [
    ...repeat('electable', RACK_OUTAGE.electable - RACK_OUTAGE.electableWith8),
    ...repeat('electableWith8', RACK_OUTAGE.electableWith8),
    ...repeat('waitFor8', RACK_OUTAGE.waitFor8),
    ...repeat('waitFor7', RACK_OUTAGE.waitFor7),
    ...repeat('contested', RACK_OUTAGE.contested),
    ...repeat('healthy', RACK_OUTAGE.total - RACK_OUTAGE.offline),
  ]
  return all.map((_, index) => all[(index * 727) % all.length] ?? 'healthy')
}

/** Offsets that the other replica loses if the best one leads. */
export function lossOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1)) % 2 === 0 ? 30 : 0
}

/**
 * Nine brokers in three racks, rack c (7, 8, 9) without power: 1,200 partitions of 1,800 offline. The logs that are left differ, and hold beside each other
 * what a choice loses: 30 offsets of the shorter one where it kept an older epoch, else nothing.
 */
export function rackOutage(): Scenario {
  const spread = kinds()
  const topic = (name: string, from: number, to: number) => ({
    name,
    partitions: spread.slice(from, to).map((kind, partition) => partitionOf(kind, partition)),
  })
  return checkScenario(
    {
      clusterId: 'SIMULATED-rack-outage',
      personality: 'stock',
      brokers: Array.from({ length: 9 }, (_, index) => ({
        id: index + 1,
        rack: 'abc'[Math.floor(index / 3)],
        state: index < 6 ? 'up' : 'down',
        logDirs: ['/d'],
      })),
      topics: TOPICS.map(([name, from, to]) => topic(name, from, to)),
    },
    'rack outage',
  )
}

function repeat(kind: Kind, times: number): Kind[] {
  return new Array<Kind>(times).fill(kind)
}

function bestOf(partition: number): number {
  return LIVE[partition % 6] ?? 1
}

function partitionOf(kind: Kind, partition: number) {
  const best = bestOf(partition)
  const other = LIVE[(partition + 1) % 6] ?? 1
  const away = { electable: 9, electableWith8: 8, waitFor8: 8, waitFor7: 7, contested: 9, healthy: 9 }[kind]
  const end = 1_000 + (partition % 500)
  const log = (logEndOffset: number, epochs: readonly (readonly [number, number])[]) => ({
    logDir: '/d',
    logStartOffset: 0,
    logEndOffset,
    epochs,
  })
  const newest = log(end, [
    [0, 0],
    [3, 900],
  ])
  // Half of the others missed the last epoch, and hold 30 offsets that were never agreed.
  const older = partition % 2 === 0 ? log(930, [[0, 0]]) : log(end - 5, newest.epochs)
  if (kind === 'healthy') {
    const assignment = [best, other, away]
    return {
      partition,
      assignment,
      leader: best,
      leaderEpoch: 3,
      isr: [best, other],
      elr: [],
      lastKnownElr: [],
      logs: { [best]: newest, [other]: newest, [away]: newest },
    }
  }
  const led = kind === 'waitFor7' || kind === 'waitFor8' ? [away] : []
  return {
    partition,
    // The better one never stands where an election would find it by the order alone.
    assignment: [away, other, best],
    leader: -1,
    leaderEpoch: 4,
    isr: [],
    elr: led,
    lastKnownElr: led,
    logs: {
      [best]: newest,
      [other]: kind === 'contested' ? log(2_500, [[0, 0]]) : older,
      // Who led last has all, and a little more; who did not is far behind.
      [away]: led.length > 0 ? log(end + 3, newest.epochs) : log(800, [[0, 0]]),
    },
  }
}
