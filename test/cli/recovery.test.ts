import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { contentsOf, documentOf, ownFolder, recovery, simulators, unclean, WRITES } from './harness.js'

const folder = ownFolder()
const simulated = simulators()
const ALL = '--all-offline-partitions'

describe('kafka-unclean-recovery', () => {
  test('--automated-recovery elects the best log, puts the order back, and says what it lost', async () => {
    const { server, simulator } = await simulated('longer-log-older-epoch')
    const ran = await unclean(ALL, '--automated-recovery', '--show-replica-info', ...server)
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('SIMULATED')
    // Broker 3 was not read: neither loss may look complete.
    expect(ran.stdout).toMatch(/orders-0 +elected +2 +80 \+ \? +80 \+ \?/)
    expect(simulator.inspect().partition('orders', 0)).toMatchObject({ leader: 2, replicas: [3, 1, 2] })
  })

  test('a second run finds nothing to do: said, outcome [], exit 0', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    await unclean(ALL, '--automated-recovery', ...server)
    const ran = await unclean(ALL, '--automated-recovery', '--json', ...server)
    expect(ran.exit).toBe(0)
    expect(documentOf(ran)).toMatchObject({ outcome: [], summary: {} })
    expect(ran.stderr).toContain('no offline partition')
  })

  test.each([[['--automated-recovery']], [['--show-replica-info']], [['--manual-recovery-output-file', 'x']]])(
    '--dry-run %j sends nothing that writes and writes no file',
    async (how) => {
      const { server, requests, simulator } = await simulated('longer-log-older-epoch')
      const before = contentsOf(simulator)
      const args = how.map((word) => (word === 'x' ? folder.path('dry-run') : word))
      const ran = await unclean(ALL, '--dry-run', '--json', ...args, ...server)
      expect(ran.exit).toBe(0)
      const document = documentOf(ran)
      expect(document).toMatchObject({
        plan: { partitions: [{ topic: 'orders', designatedLeader: 2, method: 'reorder' }] },
      })
      expect(document).not.toHaveProperty('outcome')
      expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
      expect(before).toHaveLength(1)
      expect(contentsOf(simulator)).toEqual(before)
      await expect(stat(folder.path('dry-run'))).rejects.toThrow()
    },
  )

  test('the manual output file holds what the KIP names, is never overwritten, and elect takes it', async () => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    const file = folder.path('manual.json')
    const ran = await unclean(ALL, '--manual-recovery-output-file', file, '--json', ...server)
    expect(ran.exit).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      partitions: [{ topic: 'orders', partition: 0, designatedLeader: 2 }],
    })
    expect(ran.stderr).toContain(`kafka-recovery elect --plan ${file}`)
    expect(documentOf(ran)).toMatchObject({
      outcome: [{ result: 'notAttempted', code: 'manual', designatedLeader: 2 }],
    })
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])

    const before = await readFile(file, 'utf8')
    expect(await unclean(ALL, '--manual-recovery-output-file', file, ...server)).toMatchObject({ exit: 2 })
    expect(await readFile(file, 'utf8')).toBe(before)

    const elected = await recovery('elect', '--plan', file, '--yes', '--json', ...server)
    expect(documentOf(elected)).toMatchObject({ outcome: [{ result: 'elected', leader: 2 }] })
  })

  test('what is left to the operator: one line each on stderr, exit 1, nothing sent for it', async () => {
    const { server, requests } = await simulated('winner-would-wipe-a-longer-log')
    const ran = await unclean(ALL, '--automated-recovery', '--json', ...server)
    expect(ran.exit).toBe(1)
    const { outcome } = documentOf(ran)
    expect(outcome).toHaveLength(1)
    expect(outcome[0]).toMatchObject({ result: 'skipped', code: 'contested' })
    expect(ran.stderr).toMatch(new RegExp(`^${outcome[0].topic}-${outcome[0].partition}: skipped: `, 'm'))
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])

    const accepted = await unclean(ALL, '--automated-recovery', '--accept', 'contested', '--json', ...server)
    expect(documentOf(accepted)).toMatchObject({ outcome: [{ result: 'elected' }] })
    expect(accepted.exit).toBe(0)
  })

  test('state Z: an alarm on stderr, blocked partitions are not touched', async () => {
    const { server, simulator } = await simulated('last-known-leader-alive-but-emptied')
    const blockedOnes = () => contentsOf(simulator).filter(({ partition }) => partition < 2)
    const before = blockedOnes()
    expect(before).toHaveLength(2)
    const ran = await unclean(ALL, '--automated-recovery', '--json', ...server)
    expect(ran.exit).toBe(1)
    expect(ran.stderr).toMatch(/^ALARM: Broker 1 .*EMPTY/m)
    const blocked = documentOf(ran).outcome.filter((one: { code: string }) => one.code === 'blocked')
    expect(blocked.map((one: { partition: number }) => one.partition)).toEqual([0, 1])
    // Neither who leads nor what any replica holds has changed: nothing touched them.
    expect(blockedOnes()).toEqual(before)
  })

  test('--show-replica-info alone: every replica in assignment order, exit 0 if the cluster could be read', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const ran = await unclean(ALL, '--show-replica-info', '--json', ...server)
    expect(ran.exit).toBe(0)
    const [partition] = documentOf(ran).replicas.partitions
    expect(partition.replicas.map((replica: { broker: number }) => replica.broker)).toEqual([3, 1, 2])
    expect(partition.replicas[0]).toMatchObject({
      eligible: false,
      rank: null,
      logEndOffset: null,
      reason: expect.any(String),
    })
    expect(partition.replicas[2]).toMatchObject({
      rank: 1,
      logStartOffset: 0,
      logEndOffset: 850,
      lastEpoch: 7,
      epochs: [
        [0, 0],
        [5, 700],
        [7, 820],
      ],
    })
  })

  test('--read-only refuses before it reads a log, exit 4', async () => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    const ran = await unclean(ALL, '--automated-recovery', '--read-only', '--json', ...server)
    expect(ran.exit).toBe(4)
    expect(documentOf(ran)).toMatchObject({ error: { exit: 4, message: expect.stringMatching(/read-only/) } })
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('brokers with KIP-1275 obey the designation', async () => {
    const { server } = await simulated({
      ...JSON.parse(await readFile(new URL('../cases/scenarios/longer-log-older-epoch.json', import.meta.url), 'utf8')),
      personality: 'kip1275',
    })
    const ran = await unclean(ALL, '--automated-recovery', '--election-method', 'designated', '--json', ...server)
    expect(documentOf(ran)).toMatchObject({ outcome: [{ result: 'elected', leader: 2 }] })
  })

  test('a method that the cluster does not offer is refused by name, exit 2', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const ran = await unclean(ALL, '--automated-recovery', '--election-method', 'designated', ...server)
    expect(ran.exit).toBe(2)
    expect(ran.stderr).toContain('--election-method designated')
  })
})

describe('plan and elect', () => {
  async function planned(scenario: string, name: string) {
    const cluster = await simulated(scenario)
    const file = folder.path(name)
    const ran = await recovery('plan', ALL, '--output', file, '--json', ...cluster.server)
    return { ...cluster, file, ran }
  }

  test('a plan goes into a file for its owner alone; elect applies it', async () => {
    const { file, ran, server, simulator } = await planned('three-lags', 'three-lags.json')
    expect(ran.exit).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(documentOf(ran))
    const elected = await recovery('elect', '--plan', file, '--yes', '--json', ...server)
    expect(elected.exit).toBe(0)
    expect(documentOf(elected)).toMatchObject({ summary: { elected: 1 } })
    const again = await recovery('elect', '--plan', file, '--yes', '--json', ...server)
    expect(documentOf(again).outcome).toMatchObject([
      { result: 'alreadyHasLeader', code: null, error: null, leader: 1 },
    ])
    expect(again.exit).toBe(0)
    expect(simulator.inspect().partition('audit', 0)).toMatchObject({ leader: 1, replicas: [4, 3, 2, 1] })
  })

  test('an existing file is never overwritten, and is found out before anything is read', async () => {
    const { file, server, requests } = await planned('three-lags', 'kept.json')
    requests.length = 0
    const before = await readFile(file, 'utf8')
    expect(await recovery('plan', ALL, '--output', file, ...server)).toMatchObject({ exit: 2, stdout: '' })
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(requests).toEqual([])
  })

  test('without a terminal nothing prompts: refused with exit 4, nothing sent', async () => {
    const { file, server, requests } = await planned('three-lags', 'unconfirmed.json')
    const ran = await recovery('elect', '--plan', file, ...server)
    expect(ran.exit).toBe(4)
    expect(ran.stderr).toContain('--yes')
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('a plan of another cluster is refused whole, exit 4', async () => {
    const { file } = await planned('three-lags', 'other.json')
    const other = await simulated('longer-log-older-epoch')
    for (const more of [['--yes'], ['--dry-run']]) {
      const ran = await recovery('elect', '--plan', file, ...more, '--json', ...other.server)
      expect(ran.exit).toBe(4)
      expect(documentOf(ran).error.message).toMatch(/SIMULATED-three-lags.*SIMULATED-longer/)
    }
    expect(other.requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('what has changed since is refused by partition as stale, also in a dry run', async () => {
    const { file, server, simulator, requests } = await planned('three-lags', 'stale.json')
    await simulator.apply({ brokerDown: 1 })
    const dry = await recovery('elect', '--plan', file, '--dry-run', '--json', ...server)
    expect(dry.exit).toBe(1)
    expect(documentOf(dry)).toMatchObject({ stale: [{ topic: 'audit', partition: 0, reason: expect.any(String) }] })
    const ran = await recovery('elect', '--plan', file, '--yes', '--json', ...server)
    expect(ran.exit).toBe(1)
    expect(documentOf(ran)).toMatchObject({ outcome: [{ result: 'stale' }] })
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('numbers changed in a plan file have no effect; a changed leader counts as chosen by hand', async () => {
    const { file, server } = await planned('three-lags', 'edited.json')
    const document = JSON.parse(await readFile(file, 'utf8'))
    const [entry] = document.partitions
    const other = entry.evidence.replicas.find((replica: { rank: number | null }) => replica.rank === 2).broker
    entry.designatedLeader = other
    entry.loss = { known: 0, atLeast: 0, perReplica: [] }
    const edited = folder.path('edited-by-hand.json')
    await writeFile(edited, JSON.stringify(document))
    const dry = documentOf(await recovery('elect', '--plan', edited, '--dry-run', '--json', ...server))
    expect(dry.plan.partitions[0]).toMatchObject({ designatedLeader: other, byHand: true })
    expect(dry.plan.partitions[0].electionOrder[0]).toBe(other)
    expect(dry.plan.partitions[0].loss.atLeast).toBeGreaterThan(0)
  })

  test('a partition with a leader needs none: skipped as hasLeader, exit 0; an unknown one fails by name, exit 1', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    await unclean(ALL, '--automated-recovery', ...server)
    const led = await recovery('plan', 'orders-0', '--json', ...server)
    expect(led.exit).toBe(0)
    expect(documentOf(led)).toMatchObject({ partitions: [], skipped: [{ code: 'hasLeader' }] })
    const unknown = await recovery('plan', 'orders-0', 'orders-7', 'none-0', '--json', ...server)
    expect(unknown.exit).toBe(1)
    expect(documentOf(unknown).skipped.map((one: { code: string }) => one.code)).toEqual([
      'unknownTopic',
      'hasLeader',
      'unknownPartition',
    ])
    expect(unknown.stderr).toMatch(/^none-0: unknownTopic: /m)
    expect(unknown.stderr).toMatch(/^orders-7: unknownPartition: /m)
  })
})
