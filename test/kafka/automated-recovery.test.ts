import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { documentOf, ownFolder, recovery, unclean } from '../cli/harness.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { leaveLongerLogOnOlderEpoch, leaveTwoBehind } from './harness/diverge.js'
import type { DivergedPartition } from './harness/partition-writer.js'
import { listOffset } from './harness/raw-reads.js'
import { reachStateZ } from './harness/state-z.js'

// The main job, end to end, by the real executables on real brokers.

const folder = ownFolder()
let kafka: TestCluster
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
})
afterAll(async () => {
  await kafka?.dispose()
})

const server = () => ['--bootstrap-server', kafka.bootstrapServers]

/** All that an election or reassignment could change. */
const stateOf = (topics: readonly string[]) => Promise.all(topics.map((topic) => kafka.describe(topic)))

async function expectRecords(partitions: readonly DivergedPartition[], best: number): Promise<void> {
  for (const { topic, partition, logs } of partitions) {
    const records = await kafka.consume(topic, partition)
    expect(records.map(({ value }) => value)).toEqual(logs.get(best))
  }
}

describe('three different logs', () => {
  const topics = ['lags', 'lags-too']
  const assignments = [
    [
      [1, 2, 3],
      [3, 1, 2],
    ],
    [[2, 3, 1]],
  ]
  let partitions: DivergedPartition[]

  beforeAll(async () => {
    partitions = await leaveTwoBehind(
      kafka,
      topics.map((name, i) => ({ name, assignment: assignments[i] ?? [] })),
    )
  })

  it('a dry run changes nothing, and says whom Kafka itself would have taken', async () => {
    const before = await stateOf(topics)
    const ran = await unclean(...server(), '--all-offline-partitions', '--automated-recovery', '--dry-run', '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    const { plan, outcome } = documentOf(ran)
    expect(outcome).toBeUndefined()
    const planned = plan.partitions.map((p: Record<string, unknown>) => [
      p.topic,
      p.partition,
      p.designatedLeader,
      p.kafkaWouldElect,
      p.method,
    ])
    expect(planned).toEqual([
      ['lags', 0, 2, 2, 'unclean'],
      ['lags', 1, 2, 3, 'reorder'],
      ['lags-too', 0, 2, 2, 'unclean'],
    ])
    expect(await stateOf(topics)).toEqual(before)
  })

  it('elects the replica with the best log everywhere; order and records are as they were', async () => {
    const ran = await unclean(...server(), '--all-offline-partitions', '--automated-recovery', '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    const { summary, outcome } = documentOf(ran)
    expect(summary).toEqual({ elected: 3 })
    for (const entry of outcome) {
      expect(entry).toMatchObject({ result: 'elected', leader: 2, designatedLeader: 2, loss: { measured: 0 } })
    }
    const after = await stateOf(topics)
    expect(after.map((described) => described.map(({ replicas, leader }) => [replicas, leader]))).toEqual(
      assignments.map((assignment) => assignment.map((replicas) => [replicas, 2])),
    )
    await expectRecords(partitions, 2)
  })

  it('a second run finds nothing to do', async () => {
    const ran = await unclean(...server(), '--all-offline-partitions', '--automated-recovery', '--json')
    expect([ran.exit, documentOf(ran).outcome]).toEqual([0, []])
  })
})

describe('a longer log on an older epoch', () => {
  let partitions: DivergedPartition[]
  const assignment = [[3, 1, 2]]

  beforeAll(async () => {
    await kafka.start(1)
    await kafka.untilAlive([1, 2, 3])
    partitions = await leaveLongerLogOnOlderEpoch(kafka, [{ name: 'older', assignment }])
  })

  it('loses the longer one: what it holds was never agreed on; the plan says so, and what is measured is what was said', async () => {
    const planFile = folder.path('older-plan.json')
    // 1 would lose more than it keeps: that is for a person to decide, and not done unasked.
    const unasked = await recovery('plan', 'older-0', ...server(), '--json')
    expect([unasked.exit, documentOf(unasked).skipped[0].code]).toEqual([1, 'contested'])
    const accepting = ['--accept', 'contested', '--output', planFile]
    const planned = await recovery('plan', 'older-0', ...server(), ...accepting, '--json')
    expect(planned.exit, planned.stderr).toBe(0)
    const [partition] = documentOf(planned).partitions
    expect(partition).toMatchObject({ designatedLeader: 2, kafkaWouldElect: 1, method: 'reorder' })
    expect(partition.warnings.map(({ code }: { code: string }) => code)).toContain('longestNotFirst')
    expect(partition.loss.atLeast).toBe(20)

    const ran = await recovery('elect', '--plan', planFile, '--yes', ...server(), '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    expect(documentOf(ran).outcome[0]).toMatchObject({
      result: 'elected',
      leader: 2,
      loss: { predicted: 20, measured: 20 },
    })
    expect((await kafka.describe('older'))[0]?.replicas).toEqual(assignment[0])
    await expectRecords(partitions, 2)
  })
})

describe('state Z: the last known leader is alive, but emptied', () => {
  let partitions: DivergedPartition[]

  beforeAll(async () => {
    await kafka.start(3)
    await kafka.untilAlive([1, 2, 3])
    partitions = await reachStateZ(kafka, [{ name: 'ledger', assignment: [[1, 2, 3]] }])
  })

  it('sends nothing at all, says who blocks and what to do now, and the data of the others is still there', async () => {
    const before = await stateOf(['ledger'])
    const ran = await unclean(...server(), '--path-to-json-file', await ledgerFile(), '--automated-recovery', '--json')
    expect(ran.exit).toBe(1)
    expect(documentOf(ran).outcome[0]).toMatchObject({ result: 'skipped', code: 'blocked' })
    expect(ran.stderr).toMatch(/ledger-0: .*stop broker 1/i)
    expect(await stateOf(['ledger'])).toEqual(before)
    const held = partitions[0]?.logs.get(2)?.length
    expect((await listOffset(kafka.broker(2), 'ledger', 0, LATEST_TIMESTAMP)).offset).toBe(held)
    const status = documentOf(await recovery('status', ...server(), '--json'))
    expect(status.alarms).toContainEqual(
      expect.objectContaining({ code: 'emptyLogMayLead', topic: 'ledger', partition: 0, broker: 1 }),
    )
  })

  it('after the advice was followed, the best replica leads, and the emptied one comes back as a follower', async () => {
    await kafka.broker(1).stop()
    await kafka.untilFenced(1)
    const ran = await unclean(...server(), '--path-to-json-file', await ledgerFile(), '--automated-recovery', '--json')
    expect(ran.exit, ran.stderr).toBe(0)
    expect(documentOf(ran).outcome[0]).toMatchObject({ result: 'elected', leader: 2 })
    await kafka.broker(1).start()
    await kafka.untilDescribed(
      'ledger',
      'led by 2, followed by 1',
      ([view]) => view?.leader === 2 && view.isr.includes(1),
    )
    await expectRecords(partitions, 2)
  })

  async function ledgerFile(): Promise<string> {
    const path = folder.path('ledger.json')
    await writeFile(path, JSON.stringify({ partitions: [{ topic: 'ledger', partitions: [0] }] }))
    return path
  }
})
