import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from '../../src/cluster/connect.js'
import { ALL_RPCS } from '../../src/protocol/rpc/all.js'
import { runPlan } from '../../src/recovery/apply/apply-plan.js'
import { systemClock } from '../../src/recovery/apply/clock.js'
import { planRecovery } from '../../src/recovery/use-cases/plan-recovery.js'
import { FakeProcesses, MemoryStorage } from '../recovery/journal/memory-storage.js'
import { startCluster, type TestCluster } from './harness/cluster.js'

// RECORD_MESSAGES=1 npx vitest run --project kafka test/kafka/record-messages.test.ts
// Writes what a real 4.4.0 broker was asked and what it answered during one recovery, byte for byte, to test/protocol/fixtures/messages-4.4.0.json:
// what the tests of hostile input damage. One example of each message.

const recorded = vi.hoisted(() => new Map<string, { api: string; version: number; side: string; base64: string }>())

vi.mock('../../src/protocol/schema/rpc.js', async (original) => {
  const real = await original<typeof import('../../src/protocol/schema/rpc.js')>()
  const record = (side: string, { name }: { name: string }, version: number, bytes: Buffer) => {
    const base64 = bytes.toString('base64')
    const known = recorded.get(`${name} ${side}`)
    // The longest says most; small all the same.
    if (bytes.length <= 6_000 && (known?.base64.length ?? 0) < base64.length) {
      recorded.set(`${name} ${side}`, { api: name, version, side, base64 })
    }
  }
  return {
    ...real,
    encodeRequest: (rpc: never, version: number, body: never) => {
      const bytes = real.encodeRequest(rpc, version, body)
      record('request', rpc, version, bytes)
      return bytes
    },
    decodeResponse: (rpc: never, version: number, bytes: Buffer) => {
      record('response', rpc, version, bytes)
      return real.decodeResponse(rpc, version, bytes)
    },
    decodeResponseInSlices: (rpc: never, version: number, bytes: Buffer) => {
      record('response', rpc, version, bytes)
      return real.decodeResponseInSlices(rpc, version, bytes)
    },
  }
})

const RECORDING = process.env.RECORD_MESSAGES !== undefined

let cluster: TestCluster
beforeAll(async () => {
  if (RECORDING) cluster = await startCluster({ version: '4.4.0' })
})
afterAll(async () => {
  await cluster?.dispose()
})

test.runIf(RECORDING)('records one example of each message', async () => {
  await cluster.createTopics([
    {
      name: 'orders',
      assignment: [
        [3, 1, 2],
        [1, 2, 3],
        [3, 2, 1],
      ],
      config: { 'min.insync.replicas': '1' },
    },
    { name: 'payments', assignment: [[3, 1]] },
  ])
  await cluster.produce('orders', 0, ['one', 'two', 'three'], { acks: -1 })
  for (const id of [1, 2, 3]) await cluster.broker(id).kill()
  await cluster.start(1, 2)
  await cluster.untilAlive([1, 2])
  const bootstrapServers = [1, 2].map((id) => ({ host: '127.0.0.1', port: cluster.broker(id).port }))
  const connected = await connectCluster({
    bootstrapServers,
    endpoints: new Map(),
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
    transport: { clientId: 'kafka-recovery', tls: null, sasl: null, readOnly: false },
  })
  try {
    await connected.snapshot({ logDirs: true, placements: true, elr: true, configs: true, quorum: true })
    await connected.permissions(['orders'])
    await connected.brokerConfig(1)
    const planned = await planRecovery(
      connected,
      { kind: 'allOffline' },
      { durationMs: 30_000, strategy: 'rank', method: 'unclean', accepted: new Set(['empty', 'unread', 'contested']) },
    )
    const { found } = await connected.readPartitions([0, 1, 2].map((partition) => ({ topic: 'orders', partition })))
    await connected.readReplicaLogs(found, { durationMs: 30_000, history: true })
    const ports = { journals: { storage: new MemoryStorage(), processes: new FakeProcesses() }, clock: systemClock }
    await runPlan(
      connected,
      planned.plan,
      ports,
      {
        context: planned.context,
        mode: planned.capabilities.mode,
        readOnly: false,
        electionAttempts: 1,
        recoveryDurationMs: 30_000,
        requestTimeoutMs: 10_000,
        timeLimitMs: null,
        stop: null,
      },
      () => {},
    )
    // Asked as a test may: of a partition that has a leader by now, and of none.
    await connected.reorder([{ topic: 'orders', partition: 1, replicas: [2, 1, 3] }], 10_000).catch(() => [])
    await connected
      .elect({ kind: 'unclean', partitions: [{ topic: 'payments', partition: 0 }] }, 10_000)
      .catch(() => [])
    await connected.reassignments([{ topic: 'orders', partition: 1 }])
  } finally {
    await connected.close()
  }
  // What the harness itself asks (topics made, records written) is none of the program's.
  const ours = new Set(ALL_RPCS.map(({ name }) => name))
  const messages = [...recorded.values()]
    .filter(({ api }) => ours.has(api))
    .sort((a, b) => (`${a.api}${a.side}` < `${b.api}${b.side}` ? -1 : 1))
  expect(messages.length).toBeGreaterThan(20)
  await writeFile(
    new URL('../protocol/fixtures/messages-4.4.0.json', import.meta.url),
    `${JSON.stringify(messages, null, 2)}\n`,
  )
})
