import { afterEach, describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster.js'
import { connectCluster } from '../../../src/cluster/connect.js'
import { partitionName } from '../../../src/cluster/snapshot.js'
import { SYSTEM_CLOCK, type Watcher, watchCluster } from '../../../src/cluster/watcher.js'
import { systemClock } from '../../../src/recovery/apply/clock.js'
import type { Notice } from '../../../src/recovery/live/notices.js'
import { diagnoseLive, type LiveDiagnosis } from '../../../src/recovery/use-cases/live-diagnosis.js'
import { planRecovery } from '../../../src/recovery/use-cases/plan-recovery.js'
import { loadNamedScenario } from '../../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import { OPTIONS } from './watched-night.js'

// The simulated night, read over TCP by the real watcher: what the console shows is what `plan` would print, and follows the cluster.

const running: { simulator?: RunningSimulator; cluster?: Cluster; watcher?: Watcher; live?: LiveDiagnosis } = {}
const writes: string[] = []
afterEach(async () => {
  running.live?.stop()
  running.watcher?.stop()
  await running.cluster?.close()
  await running.simulator?.stop()
})

async function open(name: string): Promise<{ simulator: RunningSimulator; cluster: Cluster; live: LiveDiagnosis }> {
  const { events: _, ...scenario } = loadNamedScenario(name)
  const simulator = await startSimulator(scenario, {
    onRequest: ({ api }) => {
      if (/^(Elect|Alter|IncrementalAlter)/.test(api)) writes.push(api)
    },
  })
  running.simulator = simulator
  const [host = '', port] = simulator.bootstrapServers.split(',')[0]?.split(':') ?? []
  const cluster = await connectCluster({
    bootstrapServers: [{ host, port: Number(port) }],
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
  })
  running.cluster = cluster
  const watcher = watchCluster(cluster, { refreshMs: 30, fullReadMs: 300, clock: SYSTEM_CLOCK })
  running.watcher = watcher
  const live = diagnoseLive(cluster, watcher, { ...OPTIONS, rereadMs: 300 }, systemClock)
  running.live = live
  return { simulator, cluster, live }
}

/** Resolves with the first diagnosis, from now on, of which it is true. */
function diagnosis(live: LiveDiagnosis, is: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!is()) return
      end()
      resolve()
    }
    const end = live.subscribe(look)
    queueMicrotask(look)
  })
}

describe('the night shift', () => {
  it('is diagnosed as it would be planned, and followed while a broker comes back', async () => {
    const { simulator, cluster, live } = await open('night-shift')
    await diagnosis(live, () => live.current()?.progress.notRead === 0 && live.current()?.partitions.length !== 0)
    const { plan } = await planRecovery(cluster, { kind: 'allOffline' }, { ...OPTIONS })
    const first = live.current()!
    const leaders = (of: typeof plan) => of.partitions.map((one) => `${partitionName(one)} ${one.designatedLeader}`)
    const codes = (of: typeof plan) => of.skipped.map((one) => `${partitionName(one)} ${one.code}`)
    expect([leaders(first.plan), codes(first.plan)]).toEqual([leaders(plan), codes(plan)])
    expect(first.overview.simulated).toBe(true)
    expect(first.alarms.length).toBeGreaterThan(0)
    expect(first.overview.advice.kind).toBe('startNothing')

    await simulator.apply({ brokerUp: 1 })
    const noticed = (wanted: Notice['kind']) => live.notices().some(({ kind }) => kind === wanted)
    await diagnosis(live, () => noticed('leadersCameBack') && noticed('broker'))
    expect(live.notices()).toContainEqual({ at: expect.any(Date), kind: 'broker', broker: 1, from: 'down', to: 'up' })
    // Its return woke broker 6, just as the alarm said.
    expect(live.notices()).toContainEqual(
      expect.objectContaining({ kind: 'alarmCameTrue', broker: 6, partitions: [{ topic: 'ledger', partition: 0 }] }),
    )
    await live.readNow()
    const now = live.current()!
    const leaderless = [...simulator.inspect().partitions()].filter(({ leader }) => leader === -1).map(partitionName)
    expect(now.partitions.map(partitionName).sort()).toEqual(leaderless.sort())
    expect(now.partitions.length).toBeLessThan(first.partitions.length)
    expect(writes).toEqual([])
  })
})
