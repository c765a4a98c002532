import { afterEach, describe, expect, it } from 'vitest'
import type { Cluster, LastRecordTime } from '../../../src/cluster/cluster.js'
import { connectCluster } from '../../../src/cluster/connect.js'
import { lastRecordTime, whyNotToRead } from '../../../src/recovery/use-cases/last-record-time.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'
import { loadNamedScenario } from '../../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'

// The time of a last record is asked of the one broker that the operator named, and of none that has a failed directory.

const running: { simulator?: RunningSimulator; cluster?: Cluster } = {}
const asked: string[] = []
afterEach(async () => {
  await running.cluster?.close()
  await running.simulator?.stop()
  asked.splice(0)
})

async function open(scenario: Scenario): Promise<Cluster> {
  const simulator = await startSimulator(scenario, {
    onRequest: ({ api, broker }) => {
      if (api === 'ListOffsets') asked.push(`${api} to ${broker}`)
    },
  })
  running.simulator = simulator
  const [host = '', port] = simulator.bootstrapServers.split(',')[0]?.split(':') ?? []
  running.cluster = await connectCluster({
    bootstrapServers: [{ host, port: Number(port) }],
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
  })
  return running.cluster
}

async function ask(cluster: Cluster, topic: string, broker: number): Promise<LastRecordTime> {
  const snapshot = await cluster.snapshot({ logDirs: true, elr: false, configs: false, quorum: false })
  const state = snapshot.partitions.find((one) => one.topic === topic && one.partition === 0)!
  return lastRecordTime(cluster, snapshot, state, broker)
}

describe('the time of the last record', () => {
  it("is that of the replica's own log, by one request to its broker", async () => {
    const cluster = await open(loadNamedScenario('failed-directory'))
    const time = await ask(cluster, 'clicks', 2)
    expect(time).toMatchObject({ kind: 'time', offset: 3_899 })
    expect(asked).toEqual(['ListOffsets to 2'])
  })

  it('is not asked of a broker that has a failed directory, whichever directory the replica is in', async () => {
    const cluster = await open(loadNamedScenario('failed-directory'))
    expect(await ask(cluster, 'clicks', 1)).toMatchObject({ kind: 'refused' })
    expect(asked).toEqual([])
  })

  it('is refused by the cluster itself, too: the snapshot may be older than the failure', async () => {
    const cluster = await open(loadNamedScenario('failed-directory'))
    const { partitions } = await cluster.snapshot({ logDirs: false, elr: false, configs: false, quorum: false })
    const state = partitions.find(({ topic }) => topic === 'clicks')!
    expect(await cluster.lastRecordTime(state, 1)).toMatchObject({
      kind: 'refused',
      reason: 'broker 1 has a failed log directory: /data/b',
    })
    expect(asked).toEqual([])
  })

  it('is refused where the directories are not known, and of a broker that is away', async () => {
    const cluster = await open(loadNamedScenario('wait-for-the-return'))
    const snapshot = await cluster.snapshot({ logDirs: true, elr: false, configs: false, quorum: false })
    const state = snapshot.partitions.find(({ topic }) => topic === 'payments')!
    expect(whyNotToRead(snapshot, state, 1)).toContain('broker 1 is down')
    expect(whyNotToRead({ ...snapshot, logDirs: null }, state, 2)).toContain('is not known')
    expect(whyNotToRead(snapshot, state, 2)).toBeNull()
    expect(await cluster.lastRecordTime(state, 1)).toMatchObject({ kind: 'refused' })
    expect(asked).toEqual([])
  })
})
