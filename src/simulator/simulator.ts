import { buildCluster } from './build.js'
import { type Clock, systemClock } from './clock.js'
import { Controller } from './controller/controller.js'
import { Events } from './events.js'
import { Faults } from './faults.js'
import { type Inspection, inspect } from './inspect.js'
import { type OnRequest, RequestLog } from './request-log.js'
import { checkEvent, SIMULATED_PREFIX } from './scenario-checks.js'
import { eventSchema, type Scenario, type ScenarioEvent, type ScenarioFault } from './scenario-schema.js'
import { BrokerServer } from './server/broker-server.js'
import { HOST } from './server/handlers/metadata.js'

export interface SimulatorOptions {
  /** Port of the first broker by id, the next ones follow; absent: free ports. */
  readonly port?: number
  /** One JSON line is appended for each request. */
  readonly requestLogFile?: string
  /** Told of each request before it is answered. */
  readonly onRequest?: OnRequest
  readonly clock?: Clock
}

export interface RunningSimulator {
  /** Begins with SIMULATED. */
  readonly clusterId: string
  /** `127.0.0.1:P,...`: the brokers that were up when it started. */
  readonly bootstrapServers: string
  /** The port of each broker by id, also of those that are down. */
  readonly ports: ReadonlyMap<number, number>
  /** Makes something happen now; resolved once ports and metadata are so. */
  apply(event: ScenarioEvent): Promise<void>
  /** One more fault from now on. */
  addFault(fault: ScenarioFault): void
  clearFaults(): void
  /** What the cluster really is, whatever its brokers say. */
  inspect(): Inspection
  /** Closes every port and connection; nothing is left behind. */
  stop(): Promise<void>
}

/**
 * Starts a simulated cluster in this process, on loopback. Its events begin to count when it is up.
 * @throws Error of the system when a port is taken or the request log can not be opened; everything is closed again then
 */
export async function startSimulator(scenario: Scenario, options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const clock = options.clock ?? systemClock
  if (!scenario.clusterId.startsWith(SIMULATED_PREFIX)) {
    throw new RangeError(`clusterId: must begin with ${SIMULATED_PREFIX}`)
  }
  const cluster = buildCluster(scenario, clock)
  const controller = new Controller(cluster, scenario.catchUpOffsetsPerSecond ?? null)
  const startedAt = clock.now()
  const faults = new Faults(scenario.faults ?? [], () => clock.now() - startedAt)
  const log = options.requestLogFile === undefined ? null : new RequestLog(options.requestLogFile)
  const onRequest: OnRequest = (request, named) => {
    log?.append(request)
    options.onRequest?.(request, named)
  }
  const servers = new Map(
    [...cluster.brokers.values()].map((broker) => [
      broker.id,
      new BrokerServer({ broker, controller, faults, onRequest }),
    ]),
  )
  const timers = new Set<() => void>()
  const stop = async (): Promise<void> => {
    for (const cancel of timers) cancel()
    timers.clear()
    controller.replication.stop()
    await Promise.all([...servers.values()].map((server) => server.close()))
    log?.close()
  }
  try {
    let port = options.port ?? 0
    for (const broker of cluster.brokers.values()) {
      broker.port = port
      if (port > 0) port += 1
      // Brokers that are down take their port too, for when they return, and let it go.
      await servers.get(broker.id)?.listen()
    }
    for (const broker of cluster.brokers.values()) {
      if (broker.state.current === 'down') await servers.get(broker.id)?.close()
    }
  } catch (error) {
    await stop()
    throw error
  }

  const events = new Events(controller, {
    open: async (broker) => servers.get(broker.id)?.listen(),
    close: async (broker) => servers.get(broker.id)?.close(),
  })
  let stopped = false
  // One after the other: an event finds the cluster as the one before left it.
  let last: Promise<void> = Promise.resolve()
  const apply = (event: ScenarioEvent): Promise<void> => {
    const next = last.then(() => (stopped ? undefined : events.apply(event)))
    last = next.catch(() => undefined)
    return next
  }
  const later = (ms: number, task: () => void): void => {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      task()
    })
    timers.add(cancel)
  }
  for (const { afterMs, ...event } of scenario.events ?? [])
    later(afterMs, () => void apply(event).catch(() => undefined))
  const balanceMs = scenario.leaderImbalanceCheckMs
  if (balanceMs !== undefined) {
    const balance = (): void => {
      if (cluster.quorum.leader >= 0) controller.balanceLeaders()
      later(balanceMs, balance)
    }
    later(balanceMs, balance)
  }

  return {
    clusterId: cluster.clusterId,
    bootstrapServers: [...cluster.brokers.values()]
      .filter((broker) => broker.isUp)
      .map((broker) => `${HOST}:${broker.port}`)
      .join(','),
    ports: new Map([...cluster.brokers.values()].map(({ id, port }) => [id, port])),
    apply(event) {
      const happening = eventSchema.parse(event)
      const problems: string[] = []
      const topics = new Map(
        [...cluster.topics.values()].map(({ name, partitions }) => [name, { name, partitionCount: partitions.length }]),
      )
      checkEvent(happening, 'event', cluster.brokers, topics, (path, problem) => problems.push(`${path}: ${problem}`))
      if (problems[0] !== undefined) return Promise.reject(new RangeError(problems[0]))
      return apply(happening)
    },
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    inspect: () => inspect(cluster),
    async stop() {
      if (stopped) return
      stopped = true
      await last
      await stop()
    },
  }
}
