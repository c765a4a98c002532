import { describe, expect, test } from 'vitest'
import type { Election } from '../../src/cluster/cluster.js'
import { createRuns, type RunServices } from '../../src/console/applying/runs.js'
import { runPlan } from '../../src/recovery/apply/apply-plan.js'
import { systemClock } from '../../src/recovery/apply/clock.js'
import { findUnfinished } from '../../src/recovery/journal/found.js'
import { nodeJournalStorage } from '../../src/recovery/journal/node-storage.js'
import { systemProcesses } from '../../src/recovery/journal/process-table.js'
import { restoreOrders } from '../../src/recovery/restore/restore.js'
import { planRecovery } from '../../src/recovery/use-cases/plan-recovery.js'
import {
  connectTo,
  contentsOf,
  documentOf,
  ownFolder,
  recovery,
  simulators,
  start,
  unclean,
  WRITES,
} from '../cli/harness.js'
import { OPTIONS, RESTORE_OPTIONS } from '../recovery/apply/recovery-bench.js'

// Read-only holds where requests leave, whoever asks: front ends and use cases refuse before, but nothing depends on it. So each writing use case
// is called here as if it knew nothing of it, on a session that is read-only.

const folder = ownFolder()
const simulated = simulators()

/** Partitions for every method: 0 has to be re-ordered, 1 is in order already. */
const night = (personality: 'stock' | 'kip1275') => ({
  clusterId: `SIMULATED-read-only-${personality}`,
  personality,
  brokers: [1, 2, 3].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/d'] })),
  topics: [
    {
      name: 'orders',
      partitions: [
        [1, 2, 3],
        [1, 3, 2],
      ].map((assignment, partition) => ({
        partition,
        assignment,
        leader: -1,
        leaderEpoch: 3,
        elr: [1],
        lastKnownElr: [1],
        logs: Object.fromEntries(
          [
            [2, 40],
            [3, 50],
          ].map(([id, end]) => [id, { logDir: '/d', logStartOffset: 0, logEndOffset: end, epochs: [[0, 0]] }]),
        ),
      })),
    },
  ],
})

async function readOnlySession(personality: 'stock' | 'kip1275' = 'stock') {
  const cluster = await simulated(night(personality))
  const session = await connectTo([cluster.simulator], { readOnly: true })
  const before = contentsOf(cluster.simulator)
  const expectUntouched = () => {
    expect(cluster.requests.filter((api) => WRITES.includes(api))).toEqual([])
    expect(contentsOf(cluster.simulator)).toEqual(before)
  }
  return { ...cluster, session, expectUntouched }
}

const journalsFor = (name: string) => ({ storage: nodeJournalStorage(folder.path(name)), processes: systemProcesses })
const ALL = { kind: 'allOffline' } as const
const PLANNING = { durationMs: 5_000, strategy: 'rank', accepted: new Set<never>() } as const

describe('at the port', () => {
  const named = [{ topic: 'orders', partition: 0 }]
  const elections: Election[] = [
    { kind: 'unclean', partitions: named },
    { kind: 'designated', partitions: [{ topic: 'orders', partition: 0, leader: 3 }] },
  ]
  test('each writing request is refused, not sent, and not to be tried again', async () => {
    const { session, expectUntouched } = await readOnlySession('kip1275')
    const refused = {
      reason: 'refusedReadOnly',
      sent: false,
      retriable: false,
      message: expect.stringMatching(/read-only/),
    }
    await expect(session.reorder([{ ...named[0]!, replicas: [3, 2, 1] }], 1_000)).rejects.toMatchObject(refused)
    for (const election of elections) await expect(session.elect(election, 1_000)).rejects.toMatchObject(refused)
    expectUntouched()
  })
})

describe('use cases that were told nothing of it', () => {
  test.each([
    ['reorder', 'stock'],
    ['unclean', 'stock'],
    ['designated', 'kip1275'],
  ] as const)(
    'apply, by %s: every partition says why, the journal is closed, nothing was sent',
    async (method, personality) => {
      const { session, expectUntouched } = await readOnlySession(personality)
      const { plan, context } = await planRecovery(session, ALL, { ...PLANNING, method })
      expect(plan.partitions.length).toBeGreaterThan(0)
      expect(plan.partitions.map((one) => one.method)).toContain(method)
      const journals = journalsFor(`apply-${method}`)
      const report = await runPlan(session, plan, { journals, clock: systemClock }, { ...OPTIONS, context }, () => {})
      for (const { result, error } of report.outcome.filter(({ designatedLeader }) => designatedLeader !== null)) {
        expect(result).toBe('failed')
        expect(error).toMatch(/read-only/)
      }
      expect(await findUnfinished(journals.storage, journals.processes)).toEqual([])
      expectUntouched()
    },
  )

  test("the console's apply: the report says why", async () => {
    const { session, expectUntouched } = await readOnlySession()
    const { plan, context } = await planRecovery(session, ALL, { ...PLANNING, method: 'auto' })
    const live = { electing: () => () => {}, readNow: async () => {} } as unknown as RunServices['live']
    const runs = createRuns({
      cluster: session,
      live,
      journals: journalsFor('console'),
      readOnly: false,
      requestTimeoutMs: 5_000,
      recoveryDurationMs: 5_000,
      reportsFolder: folder.path('reports'),
    })
    let data: { finished?: { report: { outcome: { error: string | null }[] } } } = {}
    const control = {
      data,
      ui: { stack: [], overlay: null },
      update: (change: (now: typeof data) => typeof data) => {
        data = change({ sent: [], run: null, ...data } as never)
      },
      notice: () => {},
      open: () => {},
    }
    runs.start(control as never, { plan, title: 'test', context, mode: 'kraft' })
    await runs.underWay
    expect(data.finished?.report.outcome.map(({ error }) => error)).toEqual([
      expect.stringMatching(/read-only/),
      expect.stringMatching(/read-only/),
    ])
    expectUntouched()
  })

  test('restore of what an interrupted run has left: it stays in its journal', async () => {
    const { simulator, requests, server, session } = await readOnlySession()
    simulator.addFault({ api: 'ElectLeaders', closeConnection: true })
    const interrupted = start('kafka-unclean-recovery', ['--all-offline-partitions', '--automated-recovery', ...server])
    await expect.poll(() => requests.includes('ElectLeaders')).toBe(true)
    interrupted.kill('SIGKILL')
    await interrupted
    simulator.clearFaults()
    await simulator.apply({ brokerUp: 1 })
    const left = contentsOf(simulator)
    expect(left.some(({ replicas }) => String(replicas) !== '1,2,3' && String(replicas) !== '1,3,2')).toBe(true)
    const wrote = requests.length

    const journals = journalsFor('home/journal')
    const found = await findUnfinished(journals.storage, journals.processes)
    expect(found).toHaveLength(1)
    expect(await recovery('restore', '--yes', '--read-only', ...server)).toMatchObject({
      exit: 4,
      stderr: expect.stringMatching(/read-only: nothing is put back/),
    })
    const clusterId = 'SIMULATED-read-only-stock'
    const options = { ...RESTORE_OPTIONS, clusterId, requestTimeoutMs: 5_000, visibleWithinMs: 2_000 }
    const report = await restoreOrders(session, found, { journals, clock: systemClock }, options)
    expect(report.restored).toEqual([])
    for (const { reason } of [...report.left, ...report.unknown]) expect(reason).toMatch(/read-only/)
    expect([...report.left, ...report.unknown]).not.toEqual([])
    expect(requests.slice(wrote).filter((api) => WRITES.includes(api))).toEqual([])
    expect(contentsOf(simulator)).toEqual(left)
  }, 60_000)
})

describe('by the command line, with --read-only and with a read-only profile', () => {
  test.each(['--read-only', '--profile'])(
    '%s: exit 4 before anything is sent; reading goes on',
    async (how) => {
      const { simulator, requests, server } = await simulated(night('stock'))
      if (how === '--profile') await recovery('profiles', 'add', 'locked', ...server, '--read-only')
      const connection = how === '--profile' ? ['--profile', 'locked'] : [...server, '--read-only']
      const before = contentsOf(simulator)
      expect((await recovery('status', ...connection)).stdout).toContain('READ-ONLY')
      const plan = folder.path(`plan-${how}.json`)
      expect((await recovery('plan', '--all-offline-partitions', '--output', plan, ...connection)).exit).toBe(0)
      for (const ran of [
        await recovery('elect', '--plan', plan, '--yes', '--json', ...connection),
        await recovery(
          'elect',
          '--leader',
          'orders-1=3',
          '--yes',
          '--election-method',
          'unclean',
          '--json',
          ...connection,
        ),
        await unclean('--all-offline-partitions', '--automated-recovery', '--json', ...connection),
      ]) {
        expect(ran.exit, ran.stderr).toBe(4)
        expect(documentOf(ran).error.message).toMatch(/read-only: nothing is elected/)
      }
      expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
      expect(contentsOf(simulator)).toEqual(before)
    },
    60_000,
  )
})
