import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from '../../src/cluster/cluster.js'
import { connectCluster } from '../../src/cluster/connect.js'
import type { Exchange } from '../../src/protocol/transport/settings.js'
import { startCluster, type TestCluster } from './harness/cluster.js'

const values = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name}-${i}`)
const exchanges: Exchange[] = []
let kafka: TestCluster
let cluster: Cluster

function connect(servers = kafka.brokers.map(({ port }) => ({ host: '127.0.0.1', port }))): Promise<Cluster> {
  return connectCluster({
    bootstrapServers: servers,
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true, onExchange: (e) => exchanges.push(e) },
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
  })
}

// Logs of topic `lags`, partition by partition: 3 has least, then 2, then 1, which dies last. Then 2 and 3 come back.
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
  await kafka.createTopic('lags', [
    [1, 2, 3],
    [3, 2, 1],
  ])
  await kafka.createTopic('fine', [[2, 3]])
  for (const partition of [0, 1]) await kafka.produce('lags', partition, values(3, 'all'), { acks: -1 })
  await kafka.broker(3).kill()
  await kafka.untilFenced(3)
  for (const partition of [0, 1]) await kafka.produce('lags', partition, values(4, 'two'), { acks: -1 })
  await kafka.broker(2).kill()
  await kafka.untilFenced(2)
  for (const partition of [0, 1]) await kafka.produce('lags', partition, values(5, 'one'))
  await kafka.broker(1).kill()
  await kafka.untilFenced(1)
  await kafka.start(2, 3)
  await kafka.untilAlive([2, 3])
  cluster = await connect()
})

afterAll(async () => {
  await cluster?.close()
  await kafka?.dispose()
})

describe('reading a real cluster', () => {
  it('sees what is offline with half of the bootstrap servers dead, ELR and configuration included', async () => {
    const snapshot = await cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: true })
    const { clusterId, simulated, brokers, partitions, logDirs, topicConfigs, quorum, problems } = snapshot
    expect({ clusterId, simulated }).toEqual({ clusterId: kafka.clusterId, simulated: false })
    expect(brokers.map(({ id, state }) => [id, state])).toEqual([
      [1, 'down'],
      [2, 'up'],
      [3, 'up'],
    ])
    const lags = partitions.filter(({ topic }) => topic === 'lags')
    expect(lags.map(({ leader, replicas }) => [leader, replicas])).toEqual([
      [null, [1, 2, 3]],
      [null, [3, 2, 1]],
    ])
    expect(lags[0]).toMatchObject({ isr: [], elr: [1], lastKnownElr: [1], offlineReplicas: [1] })
    expect(partitions.find(({ topic }) => topic === 'fine')?.leader).not.toBeNull()
    expect(logDirs?.filter(({ broker }) => broker === 2).map(({ state }) => state)).toEqual(['online', 'online'])
    expect(topicConfigs.get('lags')).toEqual({
      minInsyncReplicas: 1,
      uncleanLeaderElection: false,
      cleanupPolicy: 'delete',
      remoteStorage: false,
    })
    expect(quorum?.leader).not.toBeNull()
    expect(problems.map(({ code }) => code)).toEqual(['brokerDown'])
  })

  it('reads the logs of followers of partitions without a leader, with their epochs, in few requests', async () => {
    const { found } = await cluster.readPartitions([
      { topic: 'lags', partition: 0 },
      { topic: 'lags', partition: 1 },
    ])
    exchanges.length = 0
    const evidence = await cluster.readReplicaLogs(found, { durationMs: 20_000, history: true })
    const [first] = evidence
    expect(first?.replicas.map((replica) => replica.kind)).toEqual(['notRead', 'read', 'read'])
    expect(first?.replicas[1]).toMatchObject({
      logStartOffset: 0,
      logEndOffset: 7,
      lastWrittenEpoch: { kind: 'epoch' },
      logDir: expect.stringContaining('disk'),
      sizeBytes: expect.any(Number),
    })
    expect(first?.replicas[2]).toMatchObject({ logStartOffset: 0, logEndOffset: 3 })
    const reads = exchanges.filter(({ api }) => api === 'ListOffsets' || api === 'Fetch')
    expect(reads.every(({ error }) => error === null)).toBe(true)
    expect(reads.length).toBeLessThanOrEqual(2 * (2 + 6))
  })

  it('refuses to write when read-only, at the transport', async () => {
    await expect(
      cluster.elect({ kind: 'unclean', partitions: [{ topic: 'lags', partition: 0 }] }, 1000),
    ).rejects.toThrow(/read-only/)
  })

  it('names unknown topics and partitions, and creates nothing by asking', async () => {
    const { missing } = await cluster.readPartitions([
      { topic: 'no-such-topic', partition: 0 },
      { topic: 'lags', partition: 7 },
    ])
    expect(missing.map(({ code }) => code).sort()).toEqual(['unknownPartition', 'unknownTopic'])
    const { partitions } = await cluster.snapshot({ logDirs: false, elr: false, configs: false, quorum: false })
    expect(partitions.some(({ topic }) => topic === 'no-such-topic')).toBe(false)
  })

  it('says that stock brokers elect by re-ordering', async () => {
    const capabilities = await cluster.capabilities()
    expect(capabilities).toMatchObject({ mode: 'kraft', method: 'reorder', elr: true })
    expect(
      capabilities.brokers.map(({ id, designatedElection, replicaLogInfo }) => [
        id,
        designatedElection,
        replicaLogInfo,
      ]),
    ).toEqual([
      [2, false, false],
      [3, false, false],
    ])
  })
})
