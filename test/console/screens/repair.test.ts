import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectedCluster, connectCluster } from '../../../src/cluster/connect.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { lineWidth } from '../../../src/console/layout/line.js'
import { alarmedDirectory } from '../../../src/console/repairing/alarm-repair.js'
import type { CommandRun } from '../../../src/console/repairing/command-run.js'
import { dirNotices } from '../../../src/console/repairing/dir-notices.js'
import {
  REPAIR_COMMAND_SCREEN,
  REPAIR_GATE_SCREEN,
  REPAIR_RETURN_SCREEN,
  REPAIR_SCREEN,
  REPAIR_TEXT_SCREEN,
  type RepairState,
  repairKey,
  repairParams,
} from '../../../src/console/repairing/repair-state.js'
import { nodeRunRecords } from '../../../src/repair/run-records.js'
import { NOTHING_SEEN, type SeenCluster } from '../../../src/repair/seen-placements.js'
import { readRepairSteps } from '../../../src/repair/use-cases/read-repair-steps.js'
import { loadNamedScenario } from '../../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import { stateZNight } from '../../terminal/harness/state-z-night.js'
import { DrawnConsole, dataOf, type Frame } from './shown-scenario.js'

// Proves what the screens of a repair show in each of its phases, at three sizes: nothing is wider than the screen, and what stands there is what was read.

const target = { broker: 1, path: '/data/b' }
const SIZES = [
  [80, 24],
  [120, 40],
  [60, 20],
] as const
const PHASES = ['healthy', 'failed', 'stopped', 'gate open', 'coming back', 'emptied', 'wiped', 'moved'] as const
type Phase = (typeof PHASES)[number]

const repairs = new Map<Phase, RepairState>()
let base: ConsoleData

/** A cluster whose directory fails when it is told to, and how its repair is read at each moment. */
async function readPhases(): Promise<void> {
  const { events: _, ...scenario } = loadNamedScenario('failing-directory')
  const read = async (
    phases: readonly (readonly [Phase, (simulator: RunningSimulator) => Promise<void>])[],
    way: RepairState['way'] = null,
  ) => {
    // So slow that it never gets there by itself.
    const simulator = await startSimulator({ ...scenario, catchUpOffsetsPerSecond: 1_000 })
    let cluster: ConnectedCluster | null = null
    let seen: SeenCluster = NOTHING_SEEN
    try {
      for (const [phase, happen] of phases) {
        await happen(simulator)
        await cluster?.close()
        const [host = '', port] = simulator.bootstrapServers.split(',')[2]?.split(':') ?? []
        cluster = await connectCluster({
          bootstrapServers: [{ host, port: Number(port) }],
          endpoints: new Map(),
          transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
          requestTimeoutMs: 2_000,
          replicaLogInfoApiKey: 93,
        })
        const repair = await readRepairSteps(cluster, target, {
          durationMs: 1_000,
          writtenOff: new Set(),
          placements: {
            load: async () => seen,
            save: async (_id, next) => {
              seen = next
            },
          },
          records: nodeRunRecords('/nowhere/at/all'),
          way,
          otherBrokers: false,
        })
        repairs.set(phase, {
          ...target,
          way,
          oldDiskBack: false,
          writtenOff: new Set(),
          repair,
          reading: false,
          failure: null,
        })
      }
    } finally {
      await cluster?.close()
      await simulator.stop()
    }
  }
  const fail = (simulator: RunningSimulator) => simulator.apply({ failLogDir: target })
  const stop = (simulator: RunningSimulator) => simulator.apply({ brokerDown: 1 })
  // Phases that come again below are read by the way that is advised.
  await read(
    [
      ['failed', fail],
      ['moved', (simulator) => simulator.apply({ removeLogDir: target })],
    ],
    'remove',
  )
  await read([
    ['healthy', async () => {}],
    ['failed', fail],
    ['stopped', stop],
    // Elected as the plan of the gate does it, by hand here: unclean, exactly that one.
    [
      'gate open',
      async (simulator) => {
        const [host = '', port] = simulator.bootstrapServers.split(',')[1]?.split(':') ?? []
        const writing = await connectCluster({
          bootstrapServers: [{ host, port: Number(port) }],
          endpoints: new Map(),
          transport: { clientId: 'test', tls: null, sasl: null, readOnly: false },
          requestTimeoutMs: 2_000,
          replicaLogInfoApiKey: 93,
        })
        await writing.elect({ kind: 'unclean', partitions: [{ topic: 'clicks', partition: 0 }] }, 2_000)
        await writing.close()
      },
    ],
    [
      'coming back',
      async (simulator) => {
        await simulator.apply({ replaceLogDir: target })
        await simulator.apply({ brokerUp: 1 })
      },
    ],
  ])
  await read([
    ['failed', fail],
    ['emptied', (simulator) => simulator.apply({ replaceLogDir: target })],
    ['wiped', (simulator) => simulator.apply({ replaceLogDir: { ...target, electedAtOnce: true } })],
  ])
}

beforeAll(async () => {
  base = await dataOf(loadNamedScenario('failing-directory'))
  await readPhases()
}, 60_000)
afterAll(() => repairs.clear())

const dataIn = (phase: Phase, more: Partial<ConsoleData> = {}): ConsoleData => ({
  ...base,
  repairs: new Map([[repairKey(target), repairs.get(phase)!]]),
  ...more,
})
const draw = (data: ConsoleData, screen: string, [columns, rows]: readonly [number, number], of?: string): Frame =>
  new DrawnConsole(data, { columns, rows }).show(screen, {
    ...repairParams(target),
    ...(of === undefined ? {} : { of }),
  })
const flat = (frame: Frame) => frame.body.join(' ').replace(/\s+/g, ' ')

const command = (part: Partial<CommandRun> = {}): CommandRun => ({
  ...target,
  name: 'stop',
  argv: ['ssh', 'kafka-1', 'systemctl stop kafka'],
  startedAt: new Date(base.now.getTime() - 65_000),
  timeLimitMs: 300_000,
  lines: [],
  before: 0,
  stopping: null,
  result: null,
  ...part,
})

describe.each(PHASES)('%s', (phase) => {
  it.each(SIZES)('every screen fits into %ix%i', (...size) => {
    const data = dataIn(phase, { command: command({ lines: ['\x1b[31m'.repeat(90), 'x'.repeat(600)] }) })
    const keys = ['known', 'cost', ...(repairs.get(phase)!.repair!.steps.map(({ id }) => id) as string[])]
    const frames = [
      draw(data, REPAIR_SCREEN, size),
      draw(data, REPAIR_GATE_SCREEN, size),
      draw(data, REPAIR_RETURN_SCREEN, size),
      draw(data, REPAIR_COMMAND_SCREEN, size),
      ...keys.map((key) => draw(data, REPAIR_TEXT_SCREEN, size, key)),
    ]
    // The cursor on each row in turn: what stands below it is in sight.
    const moving = new DrawnConsole(data, { columns: size[0], rows: size[1] })
    moving.show(REPAIR_SCREEN, repairParams(target))
    for (const cursor of keys) {
      const frame = moving.changeList((list) => ({ ...list, cursor }))
      if (frame.body.some((line) => line.startsWith('> '))) frames.push(frame)
      const { steps } = repairs.get(phase)!.repair!
      if (steps.some(({ id }) => id === cursor)) expect(frame.text, cursor).toMatch(/^> .*\n +why {4}\S/m)
    }
    for (const frame of frames) {
      expect(frame.lines.filter((line) => lineWidth(line) > size[0])).toEqual([])
      expect(frame.lines.length).toBeLessThanOrEqual(size[1])
    }
  })
})

describe('the Repair screen', () => {
  it('says what is known and what comes next, in every phase', () => {
    const says: Readonly<Record<Phase, readonly RegExp[]>> = {
      healthy: [/nothing to repair/],
      failed: [/FAILED/, /4! NOW +Stop broker 1/, /3 partitions, 1 without a leader, 2 served by others/],
      stopped: [/its broker is away/, /5! NOW +Elect the best/, /NOT YET +Start broker 1/],
      'gate open': [/its broker is away/, /9! NOW +Start broker 1/],
      'coming back': [/back, catching up/, /NOW +Watch the return/],
      emptied: [/BACK AND EMPTY/, /NOW +Stop broker 1 AT ONCE/],
      wiped: [/MAYBE WIPED/, /PROBABLY WIPED: clicks-0|MAYBE WIPED: clicks-0/],
      moved: [/./],
    }
    for (const phase of PHASES) {
      const frame = draw(dataIn(phase), REPAIR_SCREEN, [120, 60])
      for (const text of says[phase]) expect(frame.text, phase).toMatch(text)
    }
  })

  it('has every command to copy, and the one that enter would run where the profile has it', () => {
    const plain = draw(dataIn('failed'), REPAIR_SCREEN, [120, 60])
    expect(plain.text).toContain('kafka-server-stop.sh')
    expect(plain.text).not.toMatch(/^ {5}enter/m)
    const place = { ...base.place, repairCommands: { stop: ['ssh', '{host}', 'systemctl', 'stop', 'kafka'] } }
    const with_ = draw(dataIn('failed', { place }), REPAIR_SCREEN, [120, 60])
    expect(with_.text).toContain('runs, after it is confirmed: ssh 127.0.0.1 systemctl stop kafka')
    const stopped = draw(dataIn('stopped'), REPAIR_SCREEN, [120, 60])
    expect(flat(stopped)).toContain('kafka-recovery repair --broker 1 --log-dir /data/b --run elect')
  })

  it('names every partition in the details, with whom it names and where the best copy is', () => {
    const told = flat(draw(dataIn('failed'), REPAIR_TEXT_SCREEN, [120, 60], 'known'))
    expect(told).toMatch(/without a leader: 1: clicks-0/)
    expect(told).toMatch(/clicks-0: names this broker in (ISR|ELR).*ends at 59,000 \(broker 2\)/)
    expect(told).toMatch(/served by broker 2: 2: clicks-1 pages-0/)
    const cost = flat(draw(dataIn('failed'), REPAIR_TEXT_SCREEN, [120, 60], 'cost'))
    expect(cost).toContain('go offline, since only its good directories hold them in sync: 1: audit-0')
    expect(cost).toContain('clicks-0: all that the others hold is lost: 59,000 offsets')
  })

  it('says when what is known comes from memory, and how old that is', () => {
    const told = flat(draw(dataIn('stopped'), REPAIR_TEXT_SCREEN, [120, 60], 'known'))
    expect(told).toMatch(/It held 3 partitions, as noted at \d\d:\d\d \((now|\d+ \w+ ago)\)/)
  })
})

describe('the other screens of a repair', () => {
  it('the gate: who keeps it shut, and whether somebody else has it', () => {
    const shut = draw(dataIn('stopped'), REPAIR_GATE_SCREEN, [80, 24])
    expect(flat(shut)).toContain('Gate SHUT: 1 partition')
    expect(shut.text).toMatch(/clicks-0 +in (ISR|ELR).* others have a copy: elect/)
    const open = draw(dataIn('gate open'), REPAIR_GATE_SCREEN, [80, 24])
    expect(flat(open)).toContain('Gate open: no partition without a leader names broker 1 any more')
    expect(open.text).toContain('No partition keeps it shut')
  })

  it('the return: a bar for each replica, its log end against that of its leader, and whether it is in sync', () => {
    const frame = draw(dataIn('coming back'), REPAIR_RETURN_SCREEN, [120, 30])
    expect(flat(frame)).toContain('the broker is up, the directory is online')
    expect(frame.text).toMatch(/0 of 3 in sync/)
    for (const [name, end] of [
      ['clicks-0', '59,000'],
      ['clicks-1', '41,000'],
      ['pages-0', '30,000'],
    ] as const) {
      expect(frame.text).toMatch(new RegExp(`${name} .*\\[.*\\] +\\d+% +[\\d,]+ +${end} .* no$`, 'm'))
    }
    const away = draw(dataIn('stopped'), REPAIR_RETURN_SCREEN, [80, 24])
    expect(flat(away)).toContain('the broker is down, its directories are not told')
  })

  it('a command: what runs, for how long, at most how long; then how it ended', () => {
    const runs = draw(dataIn('failed', { command: command({ lines: ['stopping'] }) }), REPAIR_COMMAND_SCREEN, [80, 24])
    expect(flat(runs)).toContain("ssh kafka-1 'systemctl stop kafka'")
    expect(flat(runs)).toContain('runs for 1 min 5 s, at most 5 min; ctrl-c ends it')
    expect(runs.header.join('\n')).toContain('RUNNING: stop of broker 1, 1 min 5 s')
    const result = {
      argv: ['x'],
      startedAt: base.now,
      durationMs: 2_000,
      end: { kind: 'exited', code: 3 },
      output: ['the last line'],
      droppedBytes: 3_000_000,
    } as const
    const ended = draw(dataIn('failed', { command: command({ result }) }), REPAIR_COMMAND_SCREEN, [80, 24])
    expect(flat(ended)).toContain('exit 3 after 2.0 s: whether it had an effect the cluster shows')
    expect(flat(ended)).toContain('its last lines; 2.8 MiB were not shown')
    expect(flat(ended)).toContain('the last line')
    expect(ended.header.join('\n')).not.toContain('RUNNING')
  })
})

describe('what leads to a repair', () => {
  it('the header: a directory that failed lately, until it is there again', () => {
    const at = (seconds: number) => new Date(base.now.getTime() - seconds * 1_000)
    const failed = { kind: 'logDir', broker: 1, path: '/data/b', now: 'failed', at: at(100) } as const
    const back = { ...failed, now: 'returned', at: at(30) } as const
    const { now } = base
    expect(dirNotices({ notices: [failed], now })).toMatchObject([
      expect.stringMatching(/\/data\/b of broker 1 FAILED/),
    ])
    expect(dirNotices({ notices: [failed, back], now })).toMatchObject([expect.stringMatching(/is there again/)])
    expect(dirNotices({ notices: [failed, { ...back, at: at(70) }], now })).toEqual([])
    expect(dirNotices({ notices: [{ ...failed, at: at(700) }], now })).toEqual([])
  })

  it('an alarm: the directory in which the emptied replicas lie', async () => {
    const data = await dataOf(stateZNight())
    const [alarm] = data.diagnosis!.alarms
    expect(alarmedDirectory(alarm!, data)).toEqual({ broker: 4, path: '/a' })
    expect(alarmedDirectory({ ...alarm!, broker: null }, data)).toBeNull()
  })

  it('the list: failed ones first, those that nobody tells of now as they are remembered', () => {
    const seenAt = new Date(base.now.getTime() - 60_000)
    const noted = [
      { broker: 1, path: '/data/b', seenAt, replicas: 3, lost: null },
      { broker: 2, path: '/data/b', seenAt, replicas: 1, lost: { since: seenAt, replicas: 1 } },
      { broker: 3, path: '/data/gone', seenAt, replicas: 5, lost: { since: seenAt, replicas: 5 } },
    ]
    const { body } = new DrawnConsole({ ...base, noted }, { columns: 100, rows: 24 }).show('log-dirs')
    expect(body[1]).toMatch(/2 +\/data\/b +catching up/)
    expect(body[2]).toMatch(/3 +\/data\/gone +not there/)
    expect(body[3]).toMatch(/1 +\/data\/a +online/)
  })
})
