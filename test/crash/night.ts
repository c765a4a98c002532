import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partitionName } from '../../src/cluster/snapshot.js'
import { checkScenario } from '../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'
import { Home } from './run-program.js'

/** The broker that each partition's plan names: it has the longest log. */
export const BEST = 2
const DOWN = 3

export interface SentWrite {
  readonly api: 'AlterPartitionReassignments' | 'ElectLeaders'
  /** `topic-partition` */
  readonly named: readonly string[]
}

/** A simulated cluster whose partitions have all lost their leader, with a state folder for programs that recover it. */
export interface Night extends AsyncDisposable {
  readonly simulator: RunningSimulator
  readonly home: Home
  /** A file in a folder of this night's own. */
  readonly path: (name: string) => string
  /** Another machine: the same cluster, another state folder. */
  readonly otherHome: (name: string) => Home
  readonly writes: readonly SentWrite[]
  /** Assignments in their order, by `topic-partition`. */
  orders(): Readonly<Record<string, readonly number[]>>
  /** Partitions that have a leader, by `topic-partition`. */
  leaders(): Readonly<Record<string, number>>
}

/** Broker 3, which is away and led last, stands first; the best log is on 2. Every fourth partition needs no re-ordering. */
export async function startNight(
  partitions: number,
  onWrite: (write: SentWrite, night: Night) => void = () => {},
): Promise<Night> {
  const folder = await mkdtemp(join(tmpdir(), 'crash-test-'))
  const log = (logEndOffset: number) => ({ logDir: '/d', logStartOffset: 0, logEndOffset, epochs: [[0, 0]] })
  const topic = (name: string, from: number, count: number) => ({
    name,
    partitions: Array.from({ length: count }, (_, partition) => ({
      partition,
      assignment: (from + partition) % 4 === 3 ? [DOWN, BEST, 1] : [DOWN, 1, BEST],
      leader: -1,
      leaderEpoch: 4,
      isr: [],
      elr: [DOWN],
      lastKnownElr: [DOWN],
      logs: { 1: log(90), [BEST]: log(100 + (partition % 7)) },
    })),
  })
  const half = Math.ceil(partitions / 2)
  const scenario = checkScenario(
    {
      clusterId: 'SIMULATED-crash',
      personality: 'stock',
      brokers: [1, BEST, DOWN].map((id) => ({ id, state: id === DOWN ? 'down' : 'up', logDirs: ['/d'] })),
      topics: [topic('orders', 0, half), topic('payments', half, partitions - half)],
    },
    'crash',
  )
  const writes: SentWrite[] = []
  const simulator = await startSimulator(scenario, {
    onRequest({ api }, named) {
      if (api !== 'AlterPartitionReassignments' && api !== 'ElectLeaders') return
      const write = { api, named: named?.map(partitionName) ?? [] } as const
      writes.push(write)
      onWrite(write, night)
    },
  })
  const path = (name: string) => join(folder, name)
  // A busy machine is no reason to fail.
  const server = ['--bootstrap-server', simulator.bootstrapServers, '--request-timeout-ms', '60000']
  const otherHome = (name: string) => new Home(path(name), server)
  const all = () => [...simulator.inspect().partitions()]
  const night: Night = {
    simulator,
    path,
    otherHome,
    home: otherHome('home'),
    writes,
    orders: () => Object.fromEntries(all().map((one) => [partitionName(one), [...one.replicas]])),
    leaders: () =>
      Object.fromEntries(all().flatMap((one) => (one.leader < 0 ? [] : [[partitionName(one), one.leader]]))),
    async [Symbol.asyncDispose]() {
      await simulator.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return night
}
