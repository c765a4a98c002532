import { afterEach, describe, expect, it } from 'vitest'
import { type ConnectedCluster, connectCluster } from '../../src/cluster/connect.js'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'

// Proves over the wire what a watched cluster is asked for its log directories: one small request for each broker and refresh, none for a broker that fell
// silent until everything is read again; and that a directory that fails or returns shows within two refreshes.

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

interface Watched {
  readonly simulator: RunningSimulator
  readonly cluster: ConnectedCluster
  /** Brokers that were asked for their directories since the last call, sorted. */
  asked(): number[]
}

async function watched(): Promise<Watched> {
  const { events: _, ...scenario } = loadNamedScenario('failing-directory')
  let brokers: number[] = []
  const simulator = await startSimulator(scenario, {
    onRequest({ api, broker }) {
      if (api === 'DescribeLogDirs') brokers.push(broker)
    },
  })
  opened.push(() => simulator.stop())
  const [host = '', port] = simulator.bootstrapServers.split(',')[0]?.split(':') ?? []
  const cluster = await connectCluster({
    bootstrapServers: [{ host, port: Number(port) }],
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
    requestTimeoutMs: 1_000,
    replicaLogInfoApiKey: 93,
  })
  opened.push(() => cluster.close())
  return {
    simulator,
    cluster,
    asked() {
      const now = brokers.sort((a, b) => a - b)
      brokers = []
      return now
    },
  }
}

const everything = { logDirs: true, elr: true, configs: true, quorum: true }

describe('the log directories of a watched cluster', () => {
  it('are asked for once by broker and refresh', async () => {
    const { cluster, asked } = await watched()
    let { snapshot, fullReadNeeded } = { snapshot: await cluster.snapshot(everything), fullReadNeeded: false }
    expect(asked()).toEqual([1, 2, 3])
    for (let refresh = 0; refresh < 3; refresh += 1) {
      ;({ snapshot, fullReadNeeded } = await cluster.refresh(snapshot))
      expect(fullReadNeeded).toBe(false)
      expect(asked()).toEqual([1, 2, 3])
    }
  })

  it('show in the first refresh that one failed, and within two that it is there again', async () => {
    const { simulator, cluster } = await watched()
    const before = await cluster.snapshot(everything)
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const failed = await cluster.refresh(before)
    expect(failed.fullReadNeeded).toBe(true)
    expect(failed.snapshot.logDirs).toContainEqual(
      expect.objectContaining({ broker: 1, path: '/data/b', state: 'offline' }),
    )
    await simulator.apply({ replaceLogDir: { broker: 1, path: '/data/b' } })
    // Its broker was restarted for it: the first refresh may find nothing but its old connection, closed.
    let back = await cluster.refresh(failed.snapshot)
    if (!back.fullReadNeeded) back = await cluster.refresh(back.snapshot)
    expect(back.fullReadNeeded).toBe(true)
    expect(back.snapshot.logDirs).toContainEqual(
      expect.objectContaining({ broker: 1, path: '/data/b', state: 'online' }),
    )
  })

  it('of a broker whose disks hang: it is asked once, said to be so, and then left alone until everything is read', async () => {
    const { simulator, cluster, asked } = await watched()
    let snapshot = await cluster.snapshot(everything)
    asked()
    simulator.addFault({ broker: 2, api: 'DescribeLogDirs', delayMs: 60_000 })
    ;({ snapshot } = await cluster.refresh(snapshot))
    expect(asked()).toEqual([1, 2, 3])
    expect(snapshot.problems).toContainEqual(
      expect.objectContaining({
        broker: 2,
        text: expect.stringContaining('its log directories are shown as they were'),
      }),
    )
    const startedAt = performance.now()
    const quick = await cluster.refresh(snapshot)
    // No deadline is waited for any more.
    expect(performance.now() - startedAt).toBeLessThan(900)
    expect(asked()).toEqual([1, 3])
    expect(quick.fullReadNeeded).toBe(false)
    // Others are still watched.
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    expect((await cluster.refresh(quick.snapshot)).fullReadNeeded).toBe(true)
    expect(asked()).toEqual([1, 3])
    simulator.clearFaults()
    const again = await cluster.snapshot(everything)
    asked()
    await cluster.refresh(again)
    expect(asked()).toEqual([1, 2, 3])
  })
})
