import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOf, ownFolder, recovery, unclean } from '../cli/harness.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { leaveTwoBehind } from './harness/diverge.js'
import type { DivergedPartition } from './harness/partition-writer.js'

// The brokers people run. 4.4.0 has tests of its own; here each older line proves reading, the election by re-ordering, and the
// order put back, on one partition whose best log is not the one that Kafka would take.

const VERSIONS = [
  { version: '3.9.2', elr: false },
  { version: '4.0.2', elr: false },
  { version: '4.1.2', elr: true },
  { version: '4.2.1', elr: true },
  { version: '4.3.1', elr: true },
]

ownFolder()

describe.each(VERSIONS)('Kafka $version', ({ version, elr }) => {
  let kafka: TestCluster
  let partitions: DivergedPartition[]
  const assignment = [[3, 1, 2]]

  beforeAll(async () => {
    kafka = await startCluster({ version })
    partitions = await leaveTwoBehind(kafka, [{ name: 'lags', assignment }])
  })
  afterAll(async () => {
    await kafka?.dispose()
  })

  it('elects the best log, where Kafka would take another, and puts the order back', async () => {
    const server = ['--bootstrap-server', kafka.bootstrapServers]
    const checked = documentOf(await recovery('check', ...server, '--json'))
    expect(checked).toMatchObject({ method: 'reorder', capabilities: { mode: 'kraft', elr } })
    expect(checked.permissions.every(({ granted }: { granted: boolean | null }) => granted !== false)).toBe(true)

    const status = documentOf(await recovery('status', ...server, '--json'))
    expect(status.offlinePartitions).toHaveLength(1)
    expect(status.offlinePartitions[0].isr).toEqual(elr ? [] : [1])

    const plan = documentOf(await recovery('plan', '--all-offline-partitions', ...server, '--json'))
    expect(plan.partitions[0]).toMatchObject({ designatedLeader: 2, kafkaWouldElect: 3, method: 'reorder' })

    const options = ['--all-offline-partitions', '--automated-recovery', '--show-replica-info', '--json']
    const ran = await unclean(...server, ...options)
    expect(ran.exit, ran.stderr).toBe(0)
    expect(documentOf(ran).outcome).toEqual([expect.objectContaining({ result: 'elected', leader: 2, attempts: 1 })])

    expect((await kafka.describe('lags'))[0]?.replicas).toEqual(assignment[0])
    const records = await kafka.consume('lags', 0)
    expect(records.map(({ value }) => value)).toEqual(partitions[0]?.logs.get(2))
  })
})
