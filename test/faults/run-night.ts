import { connect } from 'node:net'
import { type ConnectedCluster, connectCluster } from '../../src/cluster/connect.js'
import { partitionName, type TopicPartition } from '../../src/cluster/snapshot.js'
import { AlterPartitionReassignments } from '../../src/protocol/rpc/alter-partition-reassignments.js'
import type { Exchange } from '../../src/protocol/transport/settings.js'
import { runPlan } from '../../src/recovery/apply/apply-plan.js'
import { systemClock } from '../../src/recovery/apply/clock.js'
import type { RecoveryEvent, RecoveryReport } from '../../src/recovery/apply/outcome.js'
import { findUnfinished } from '../../src/recovery/journal/found.js'
import type { RecoveryPlan } from '../../src/recovery/planning/plan.js'
import { type RestoreReport, restoreOrders } from '../../src/recovery/restore/restore.js'
import { electionRefusal } from '../../src/recovery/use-cases/election-refusal.js'
import { planRecovery } from '../../src/recovery/use-cases/plan-recovery.js'
import type { LoggedRequest } from '../../src/simulator/request-log.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'
import { FakeProcesses, MemoryStorage } from '../recovery/journal/memory-storage.js'
import { requestFrame } from '../simulator/client.js'
import { ACCEPTED, type BadNight, type Happening, scenarioOf } from './bad-night.js'
import { countedClock } from './simulator-clock.js'
import { Timeline } from './timeline.js'

/** Where a night is run: over a network in memory on a virtual clock, or over real TCP. */
export interface World {
  readonly requestTimeoutMs: number
  readonly visibleWithinMs: number
  readonly logDurationMs: number
  /** Each answer takes so long, so that time passes. ms */
  readonly responseDelayMs: number
  /** How much later than it should something may end: nothing on a virtual clock. ms */
  readonly slackMs: number
  /** Null: there is no cable to cut. */
  readonly cut: ((port: number, cut: boolean) => void) | null
}

export interface WireWrite {
  readonly api: string
  /** `topic-partition`; null: all of the cluster. */
  readonly named: readonly string[] | null
}

export interface NightRun {
  readonly night: BadNight
  readonly asked: readonly TopicPartition[]
  readonly timeline: Timeline
  /** Null: planning failed. */
  readonly plan: RecoveryPlan | null
  readonly report: RecoveryReport | null
  readonly events: readonly RecoveryEvent[]
  /** Why it ended before anything was sent; null: it did not. */
  readonly refused: Error | null
  readonly planMs: number
  readonly applyMs: number
  /** Requests of the program that write, as the brokers received them. */
  readonly wireWrites: readonly WireWrite[]
  readonly exchanges: readonly Exchange[]
  /** Partitions that others have re-ordered, moved, or made anew. */
  readonly othersChanged: ReadonlySet<string>
  /** What `restore` made of an open journal when all was calm again; null: none was open. */
  readonly restored: RestoreReport | null
}

const OUR_CLIENT = 'kafka-recovery-test'
const WRITING = new Set(['AlterPartitionReassignments', 'ElectLeaders', 'IncrementalAlterConfigs'])

/** Plans and carries out the recovery of everything that is offline, while all sorts of things happen. */
export async function runNight(night: BadNight, world: World): Promise<NightRun> {
  const asked = night.partitions.map(({ topic, partition }) => ({ topic, partition }))
  const wireWrites: WireWrite[] = []
  const exchanges: Exchange[] = []
  const othersChanged = new Set<string>()
  const stop = new AbortController()
  const pending = new Map(night.happenings.map((one, at) => [`${one.during} ${one.atRequest} ${at}`, one]))
  let phase: 'plan' | 'apply' | 'calm' = 'plan'
  let received = 0
  let timeline: Timeline | null = null
  let happening: Promise<void> = Promise.resolve()

  const { clock, cancelAll } = countedClock()
  const simulator: RunningSimulator = await startSimulator(scenarioOf(night, world.responseDelayMs), {
    clock,
    onRequest(request: LoggedRequest, named) {
      timeline?.look()
      if (request.clientId !== OUR_CLIENT) return
      if (WRITING.has(request.api)) wireWrites.push({ api: request.api, named: named?.map(partitionName) ?? null })
      received += 1
      for (const [key, { during, atRequest, what }] of pending) {
        if (during !== phase || atRequest > received) continue
        pending.delete(key)
        happening = happening.then(() => make(what).catch(() => undefined))
      }
    },
  })
  async function make(what: Happening): Promise<void> {
    switch (what.kind) {
      case 'event': {
        const made = what.event.deleteTopic ?? what.event.recreateTopic
        for (const one of asked) if (one.topic === made) othersChanged.add(partitionName(one))
        return simulator.apply(what.event)
      }
      case 'fault':
        return simulator.addFault(what.fault)
      case 'reassign':
        othersChanged.add(partitionName(what))
        return reassignByOthers(simulator, what)
      case 'cable':
        return world.cut?.(simulator.ports.get(what.broker) ?? 0, what.cut)
      case 'stop':
        return stop.abort()
    }
  }

  const watching = new Timeline(asked, () => simulator.inspect())
  timeline = watching
  let cluster: ConnectedCluster | null = null
  const storage = new MemoryStorage()
  const processes = new FakeProcesses()
  const journals = { storage, processes }
  const events: RecoveryEvent[] = []
  let plan: RecoveryPlan | null = null
  let report: RecoveryReport | null = null
  let refused: Error | null = null
  let restored: RestoreReport | null = null
  const startedAt = performance.now()
  let appliedAt = startedAt
  let endedAt = startedAt
  try {
    try {
      cluster = await connectCluster(sessionOf(simulator, night, world, exchanges))
      const planned = await planRecovery(
        cluster,
        { kind: 'named', partitions: asked },
        {
          durationMs: world.logDurationMs,
          strategy: 'rank',
          method: night.method,
          accepted: night.acceptAll ? ACCEPTED : new Set(),
        },
      )
      plan = planned.plan
      appliedAt = performance.now()
      phase = 'apply'
      received = 0
      const refusal = electionRefusal(planned.snapshot, planned.capabilities, { readOnly: false, method: night.method })
      if (refusal !== null) throw new Error(refusal.text)
      report = await runPlan(
        watching.watched(cluster),
        plan,
        { journals, clock: systemClock },
        {
          context: planned.context,
          mode: planned.capabilities.mode,
          readOnly: false,
          electionAttempts: night.attempts,
          recoveryDurationMs: world.logDurationMs,
          requestTimeoutMs: world.requestTimeoutMs,
          timeLimitMs: night.timeLimitMs,
          stop: stop.signal,
          batchSize: night.batchSize,
          visibleWithinMs: world.visibleWithinMs,
        },
        (event) => events.push(event),
      )
    } catch (error) {
      if (!(error instanceof Error)) throw error
      refused = error
    }
    endedAt = performance.now()
    watching.look()
    phase = 'calm'
    pending.clear()
    await happening
    if (cluster !== null && report !== null && report.openJournal !== null) {
      await calmDown(simulator, world)
      processes.restart()
      const unfinished = await findUnfinished(storage, processes)
      restored = await restoreOrders(
        cluster,
        unfinished,
        { journals, clock: systemClock },
        {
          clusterId: plan?.clusterId ?? '',
          readOnly: false,
          attempts: 3,
          requestTimeoutMs: world.requestTimeoutMs,
          visibleWithinMs: world.visibleWithinMs,
          topicConfigs: new Map(),
        },
      )
    }
  } finally {
    await happening
    await cluster?.close()
    await simulator.stop()
    cancelAll()
  }
  return {
    night,
    asked,
    timeline: watching,
    plan,
    report,
    events,
    refused,
    planMs: appliedAt - startedAt,
    applyMs: endedAt - appliedAt,
    wireWrites,
    exchanges,
    othersChanged,
    restored,
  }
}

function sessionOf(simulator: RunningSimulator, night: BadNight, world: World, exchanges: Exchange[]) {
  const ports = [...simulator.ports].filter(([id]) => night.up.includes(id))
  return {
    bootstrapServers: ports.map(([, port]) => ({ host: '127.0.0.1', port })),
    endpoints: new Map(),
    requestTimeoutMs: world.requestTimeoutMs,
    replicaLogInfoApiKey: 93,
    transport: {
      clientId: OUR_CLIENT,
      tls: null,
      sasl: null,
      readOnly: false,
      onExchange: (exchange: Exchange) => exchanges.push(exchange),
    },
  }
}

/** No faults, a controller, every broker back and in reach; and whatever was still on its way has come or never will. */
async function calmDown(simulator: RunningSimulator, world: World): Promise<void> {
  simulator.clearFaults()
  if (simulator.inspect().controller < 0) await simulator.apply({ controllerUp: true })
  for (const [broker, port] of simulator.ports) {
    world.cut?.(port, false)
    await simulator.apply({ brokerUp: broker })
  }
  await new Promise((resolve) => setTimeout(resolve, 80 * world.requestTimeoutMs))
}

async function reassignByOthers(
  simulator: RunningSimulator,
  { topic, partition, replicas }: Happening & { kind: 'reassign' },
) {
  const up = [...simulator.inspect().brokers].find(([, state]) => state === 'up')
  const port = up === undefined ? undefined : simulator.ports.get(up[0])
  if (port === undefined) return
  const frame = requestFrame(AlterPartitionReassignments, 0, {
    topics: [{ name: topic, partitions: [{ partitionIndex: partition, replicas: [...replicas] }] }],
  })
  await new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(frame))
    // Whether it was answered or not: that is theirs.
    const done = () => {
      clearTimeout(patience)
      socket.destroy()
      resolve()
    }
    socket.on('data', done)
    socket.on('error', done)
    socket.on('close', done)
    const patience = setTimeout(done, 50)
  })
}
