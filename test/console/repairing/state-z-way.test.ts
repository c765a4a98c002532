import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConnectedCluster, connectCluster } from '../../../src/cluster/connect.js'
import type { ConsoleControl } from '../../../src/console/app/screen.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { clockText } from '../../../src/console/layout/amounts.js'
import { chooseNextWay } from '../../../src/console/repairing/choose-way.js'
import { createRepairKeeper } from '../../../src/console/repairing/repair-keeper.js'
import {
  REPAIR_SCREEN,
  type RepairState,
  repairKey,
  repairParams,
} from '../../../src/console/repairing/repair-state.js'
import type { SeenEmpty } from '../../../src/recovery/returns/seen-empty.js'
import { nodeRunRecords } from '../../../src/repair/run-records.js'
import { runRefusal } from '../../../src/repair/run-refusal.js'
import { NOTHING_SEEN, type SeenCluster } from '../../../src/repair/seen-placements.js'
import { loadNamedScenario } from '../../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import { DrawnConsole, dataOf } from '../screens/shown-scenario.js'

// Proves, on the demo's emptied leader, read as the console reads it: from the alarm to the return the way does not change unless the operator
// changes it, nothing is ticked off that nobody saw, and the old disk is taken for back only by the operator's own text, and past no gate.

const target = { broker: 1, path: '/data/a' }
let simulator: RunningSimulator
let data: ConsoleData
let seen: SeenCluster = NOTHING_SEEN
let seenEmpty: readonly SeenEmpty[] = []
const notices: string[] = []
/** What the operator answers; null: escape. */
let answer: string | null = null
let asked: string | null = null

beforeAll(async () => {
  const { events: _, topics, ...rest } = loadNamedScenario('emptied-leader')
  // Elected by hand below, the first in the assignment leads: only where that is the best, too.
  const best = topics.map((topic) => ({ ...topic, partitions: topic.partitions?.filter((one) => one.partition !== 1) }))
  const scenario = { ...rest, topics: best }
  data = await dataOf(scenario)
  simulator = await startSimulator({ ...scenario, catchUpOffsetsPerSecond: 500 })
  const evidence = data.diagnosis!.partitions.flatMap((one) => one.decided?.evidence ?? [])
  const path = evidence.flatMap(({ replicas }) => replicas).find((log) => log.kind === 'read' && log.broker === 1)
  expect(path).toMatchObject({ logDir: expect.any(String) })
  target.path = path?.kind === 'read' ? (path.logDir ?? '') : ''
  const opened: RepairState = {
    ...target,
    way: null,
    oldDiskBack: false,
    writtenOff: new Set(),
    repair: null,
    reading: false,
    failure: null,
  }
  data = { ...data, repairs: new Map([[repairKey(target), opened]]) }
}, 60_000)
afterAll(() => simulator.stop())

const control = {
  get data() {
    return data
  },
  update: (change: (before: ConsoleData) => ConsoleData) => {
    data = change(data)
  },
  notice: (text: string) => void notices.push(text),
  ask: async ({ expected }: { readonly expected: string }) => {
    asked = expected
    return answer
  },
} as unknown as ConsoleControl<ConsoleData>

async function connect(readOnly: boolean): Promise<ConnectedCluster> {
  const [host = '', port] = simulator.bootstrapServers.split(',')[1]?.split(':') ?? []
  return connectCluster({
    bootstrapServers: [{ host, port: Number(port) }],
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly },
    requestTimeoutMs: 2_000,
    replicaLogInfoApiKey: 93,
  })
}

const state = () => data.repairs.get(repairKey(target))!

async function look() {
  const cluster = await connect(true)
  const keeper = createRepairKeeper({
    cluster,
    placements: {
      load: async () => seen,
      save: async (_, next) => {
        seen = next
      },
    },
    memory: {
      load: async () => seenEmpty,
      save: async (_, next) => {
        seenEmpty = next
      },
    },
    records: nodeRunRecords('/nowhere/at/all'),
    requestTimeoutMs: 2_000,
    refreshMs: 100,
  })
  const repair = await keeper.readNow(control, target)
  keeper.stop()
  await cluster.close()
  expect(state().failure).toBeNull()
  return {
    ...repair!,
    statuses: Object.fromEntries(repair!.steps.map(({ id, status }) => [id, status])),
    text: new DrawnConsole(data, { columns: 120, rows: 60 }).show(REPAIR_SCREEN, repairParams(target)).text,
  }
}

it('the way stays, the evidence is told, and the old disk needs its own text and the gate', async () => {
  const words = { step: 'start', keep: 'keep', replace: 'replace', elect: 'elect' }
  const mayStart = () => {
    const { repair, oldDiskBack } = state()
    const { reading, steps, way } = repair!
    return runRefusal('start', { reading, steps, way, readOnly: false, oldDiskBack, words })
  }
  const emptied = await look()
  const at = emptied.reading.seenEmptiedAt
  expect(emptied.reading.phase).toBe('emptyBack')
  expect(emptied).toMatchObject({ way: 'replace', taken: { reason: 'emptied', changedFrom: null } })
  expect(emptied.text).toContain(`its log was seen empty at ${clockText(at!)}`)
  expect(emptied.statuses).toMatchObject({ stop: 'now', swapDisk: 'already' })
  // Empty at this moment: "keep" is passed over, and nothing is asked.
  await chooseNextWay(control, state())
  await chooseNextWay(control, state())
  expect(state().repair?.way).toBe('replace')
  expect(asked).toBeNull()
  expect(notices.join()).toMatch(/seen EMPTY at \d\d:\d\d, which is not the old disk. Stop broker 1 first/)
  data = { ...data, repairs: new Map([[repairKey(target), { ...state(), way: null }]]) }

  await simulator.apply({ brokerDown: 1 })
  expect(await look()).toMatchObject({ way: 'replace', statuses: { stop: 'done', elect: 'now', swapDisk: 'already' } })
  // With the old disk, as the operator types it: its steps are shown, and the gate is as shut as before.
  await chooseNextWay(control, state())
  answer = null
  await chooseNextWay(control, state())
  expect(asked).toBe('the old disk of broker 1 is back')
  expect(state().repair?.way).toBe('replace')
  await chooseNextWay(control, state())
  answer = asked
  await chooseNextWay(control, state())
  expect(state()).toMatchObject({ way: 'keep', oldDiskBack: true })
  expect(await look()).toMatchObject({ way: 'keep', statuses: { swapDisk: 'blocked', start: 'blocked' } })
  expect(mayStart()).toMatch(/the gate is shut/)
  await chooseNextWay(control, state())
  expect(state()).toMatchObject({ way: 'replace', oldDiskBack: false })
  data = { ...data, repairs: new Map([[repairKey(target), { ...state(), way: null }]]) }

  const writing = await connect(false)
  const partitions = state().repair!.reading.gate.holds
  expect(partitions.length).toBeGreaterThan(0)
  await writing.elect({ kind: 'unclean', partitions }, 2_000)
  await writing.close()
  // What the alarm noted is no danger since the election; that its disk is not the old one is known.
  const elected = await look()
  expect(seenEmpty).toMatchObject([{ broker: 1, partitions: [] }])
  expect(elected).toMatchObject({
    way: 'replace',
    reading: { phase: 'away', seenEmptiedAt: at },
    statuses: { gate: 'done', swapDisk: 'already', start: 'now' },
  })
  expect(elected.taken.changedFrom).toBeNull()
  expect(elected.text).not.toMatch(/done +(Replace|Format|Read the log|Check the disk)/)
  expect(mayStart()).toBeNull()
  // Nobody has typed that the old disk is back.
  data = { ...data, repairs: new Map([[repairKey(target), { ...state(), way: 'keep' }]]) }
  const kept = await look()
  expect(kept.statuses.start).toBe('blocked')
  expect(mayStart()).toMatch(/its disk is not the old one/)
  data = { ...data, repairs: new Map([[repairKey(target), { ...state(), way: 'replace' }]]) }

  await simulator.apply({ brokerUp: 1 })
  const back = await look()
  expect(back.way).toBe('replace')
  expect(back.reading.phase).toBe('catchingUp')
  expect(back.text).not.toMatch(/done +(Replace|Format|Read the log|Check the disk)/)
  expect(back.statuses).toMatchObject({ swapDisk: 'already', start: 'done', watch: 'now' })
}, 60_000)
