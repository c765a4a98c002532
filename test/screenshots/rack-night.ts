import { checkScenario, type Scenario } from '../../src/simulator/scenario.js'
import { broker, healthy, log, offline } from '../../src/simulator/scenarios/parts.js'

const UP = [1, 2, 3, 4, 5, 6]
const DOWN = [7, 8, 9]

interface Shape {
  /** Of its offline partitions, so many from the front had their last leader on a missing broker. */
  readonly waits: number
  /** Of its offline partitions. */
  readonly offline: number
  readonly well: number
  readonly records: number
}

const TOPICS: Readonly<Record<string, Shape>> = {
  __consumer_offsets: { offline: 11, waits: 3, well: 39, records: 88_000 },
  'clicks-eu': { offline: 960, waits: 9, well: 1440, records: 4_100_000 },
  'inventory-changes': { offline: 640, waits: 6, well: 960, records: 240_000 },
  'orders-eu': { offline: 800, waits: 14, well: 1200, records: 1_200_000 },
  payments: { offline: 240, waits: 8, well: 360, records: 510_000 },
}

/** A rack without power: three of nine brokers away, one failed directory, offline partitions of every group; elections that take a second. */
export function rackNight(): Scenario {
  return checkScenario(
    {
      clusterId: 'SIMULATED-rack-night',
      teaches: 'a rack without power: what can be elected, what had better wait, and what is yours to decide',
      personality: 'stock',
      brokers: [
        ...UP.map((id) =>
          broker(id, { rack: id < 4 ? 'a' : 'b', ...(id === 5 ? { failedLogDirs: ['/data/b'] } : {}) }),
        ),
        ...DOWN.map((id) => broker(id, { rack: 'c', state: 'down' as const })),
      ],
      topics: Object.entries(TOPICS).map(([name, shape], index) => ({ name, partitions: partitionsOf(shape, index) })),
      // Long enough for a picture.
      faults: UP.map((id) => ({ broker: id, api: 'ElectLeaders', delayMs: 1_500 })),
    },
    'rack night',
  )
}

function partitionsOf({ offline: gone, waits, well, records }: Shape, topic: number) {
  return [
    ...Array.from({ length: gone }, (_, index) => lost(index, topic, records, index < waits)),
    ...Array.from({ length: well }, (_, index) =>
      healthy(gone + index, membersFrom(index + topic), records + index * 37),
    ),
  ]
}

const membersFrom = (turn: number) => [0, 2, 3].map((step) => UP[(turn + step) % UP.length] ?? 1)

/** Two logs that part, and one that cannot be read; now and then one that may be elected is contested: its better one is the far shorter. */
function lost(partition: number, topic: number, records: number, waits: boolean) {
  const missing = DOWN[(partition + topic) % DOWN.length] ?? 7
  const [ahead = 1, behind = 2] = membersFrom(partition * 5 + topic)
  const end = records + partition * 977
  const agreed = end - 120 - ((partition * 53) % 400)
  // Broker 5 can not read those in its failed directory.
  const place = { logDir: partition % 7 === 0 ? '/data/b' : '/data/a' }
  const contested = !waits && partition % 96 === 11
  return offline(
    partition,
    [missing, behind, ahead],
    8,
    {
      [missing]: log(
        0,
        end + 40,
        [
          [0, 0],
          [6, Math.floor(end / 2)],
          [7, agreed],
        ],
        place,
      ),
      [ahead]: log(
        0,
        contested ? Math.floor(end / 4) : end,
        [
          [0, 0],
          [6, Math.floor(end / (contested ? 8 : 2))],
          [7, contested ? Math.floor(end / 5) : agreed],
        ],
        place,
      ),
      [behind]: log(
        0,
        contested ? end : agreed + ((partition * 97) % 311),
        [
          [0, 0],
          [6, Math.floor(end / (contested ? 8 : 2))],
        ],
        place,
      ),
    },
    waits ? { elr: [missing], lastKnownElr: [missing] } : {},
  )
}
