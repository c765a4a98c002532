import { basename } from 'node:path'
import { partitionName, type TopicPartition } from '../../../src/cluster/snapshot.js'
import type { RepairWay } from '../../../src/repair/repair-step.js'
import { NOTHING_SEEN, type SeenCluster, type SeenPlacementsStorage } from '../../../src/repair/seen-placements.js'
import { repairSteps } from '../../../src/repair/steps.js'
import { readRepair } from '../../../src/repair/use-cases/read-repair.js'
import { adviseWay } from '../../../src/repair/way.js'
import { withOurCluster } from './observe.js'

/** What `repair` says of a broker's log directory, and which steps it shows. Paths by their last part; what may differ between two right clusters is left out. */
export type RepairView = ReturnType<typeof viewOf>

type Repair = Awaited<ReturnType<typeof readRepair>>

const DURATION_MS = 10_000

/** What was seen before, kept as the state folder keeps it: one for each of the two clusters. */
export class Memory implements SeenPlacementsStorage {
  #seen: SeenCluster = NOTHING_SEEN
  /** What is read meanwhile is forgotten: the same can be read again and again. */
  frozen = false

  async load(): Promise<SeenCluster> {
    return this.#seen
  }

  async save(_clusterId: string, seen: SeenCluster): Promise<void> {
    if (!this.frozen) this.#seen = seen
  }
}

export interface ViewTarget {
  readonly broker: number
  readonly path: string
  /** Those of the scenario: real brokers have others, of scenarios before. */
  readonly topics: ReadonlySet<string>
  readonly writtenOff: readonly TopicPartition[]
}

/** Reads a directory's repair through our own layers from whatever runs at these ports. */
export function readView(
  ports: readonly number[],
  { broker, path, topics, writtenOff }: ViewTarget,
  placements: Memory,
): Promise<RepairView> {
  return withOurCluster(ports, async (cluster) =>
    viewOf(
      await readRepair(
        cluster,
        { broker, path },
        { durationMs: DURATION_MS, writtenOff: new Set(writtenOff.map(partitionName)), placements },
      ),
      topics,
    ),
  )
}

function viewOf(reading: Repair, topics: ReadonlySet<string>) {
  const own = <T extends TopicPartition>(list: readonly T[]) => list.filter(({ topic }) => topics.has(topic))
  const names = (list: readonly TopicPartition[]) => own(list).map(partitionName).sort()
  const { phase, brokerState, held, affected, impact, gate, wiped, progress, directories } = reading
  const { way } = adviseWay({ ...reading, gone: reading.directory.standing.kind === 'missing' })
  const steps = (wanted: RepairWay) =>
    repairSteps({
      ...reading,
      way: wanted,
      directoryOnline: reading.directory.standing.kind === 'online',
      clusterId: 'any',
      logDirs: reading.config?.logDirs ?? null,
    }).map(({ id, status }) => `${id}: ${status}`)
  return {
    phase,
    brokerState,
    way,
    directories: Object.fromEntries(directories.map(({ path, standing }) => [basename(path ?? '?'), standing.kind])),
    madeAnew: directories.flatMap(({ path, madeAnew }) =>
      own(madeAnew).map((one) => `${partitionName(one)} from ${basename(one.from)} in ${basename(path ?? '?')}`),
    ),
    held: { source: held.source, exact: held.exact, partitions: names(held.partitions) },
    affected: Object.fromEntries(
      affected
        .filter(({ state }) => topics.has(state.topic))
        .map(({ state, kind, leader, namedIn, otherCopies, bestOther, unread }) => [
          partitionName(state),
          { kind, leader, namedIn, otherCopies, bestOther, unread },
        ]),
    ),
    impact: {
      away: impact.away,
      goesOffline: names(impact.goesOffline),
      onlyCopy: names(impact.onlyCopy),
      changesLeader: names(impact.changesLeader),
      underMinIsr: names(impact.underMinIsr),
      minIsrUnknown: names(impact.minIsrUnknown),
      quorum: impact.quorum.kind,
      metadataLog: impact.metadataLog,
      emptiedLeads: own(impact.emptiedLeads).map((one) => `${partitionName(one)}: ${JSON.stringify(one.outcome.lost)}`),
      goAhead: impact.noGoAhead === null,
    },
    gate: {
      open: gate.open,
      holds: own(gate.holds).map(
        (hold) => `${partitionName(hold)}: ${hold.reason}, ${hold.namedIn.join()}, ${hold.otherCopies}`,
      ),
      writtenOff: names(gate.writtenOff),
    },
    wiped: own(wiped).map(
      (one) => `${partitionName(one)}: ${one.kind}, led by ${one.leader}, copies on ${one.copiesAway}`,
    ),
    progress: {
      done: progress.done,
      replicas: Object.fromEntries(
        own(progress.replicas).map((one) => [
          partitionName(one),
          `${one.state} ${one.logEndOffset} of ${one.leaderEndOffset} of ${one.leader}`,
        ]),
      ),
    },
    steps: { advised: steps(way), replace: steps('replace'), remove: steps('remove') },
  }
}
