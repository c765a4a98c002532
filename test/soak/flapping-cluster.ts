import { checkScenario } from '../../src/simulator/scenario.js'
import type { Scenario, ScenarioEvent } from '../../src/simulator/scenario-schema.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'

const BROKERS = [1, 2, 3, 4, 5]
const DIRECTORIES = ['/data/a', '/data/b']
const TOPICS = ['orders', 'payments', 'clicks']
const PARTITIONS = 40

/**
 * Five brokers with two directories each, three topics of 40 partitions on three replicas; ten partitions of each wait for broker 5, which
 * led them last, and five have nobody with a role and logs that part.
 */
export function flappingScenario(): Scenario {
  const log = (logDir: string, logEndOffset: number, epochs: readonly (readonly [number, number])[] = [[0, 0]]) => ({
    logDir,
    logStartOffset: 0,
    logEndOffset,
    epochs,
  })
  const partitionOf = (partition: number) => {
    const [first, second, third] = [partition, partition + 1, partition + 2].map((at) => BROKERS[at % 4] ?? 1)
    const logDir = DIRECTORIES[partition % 2] ?? '/data/a'
    const common = { partition, leaderEpoch: 4, isr: [] as number[], elr: [] as number[], lastKnownElr: [] as number[] }
    if (partition < 10) {
      const logs = { 5: log(logDir, 130), [first as number]: log(logDir, 100), [second as number]: log(logDir, 90) }
      return { ...common, assignment: [5, first, second], leader: -1, elr: [5], lastKnownElr: [5], logs }
    }
    if (partition < 15) {
      const diverged = log(logDir, 150, [
        [0, 0],
        [3, 80],
      ])
      const logs = { [first as number]: log(logDir, 120), [second as number]: diverged, 5: log(logDir, 10) }
      return { ...common, assignment: [first, 5, second], leader: -1, logs }
    }
    const replicas = [first, second, third]
    const logs = Object.fromEntries(replicas.map((id) => [id, log(logDir, 200)]))
    return { ...common, assignment: replicas, leader: first, isr: replicas, logs }
  }
  return checkScenario(
    {
      clusterId: 'SIMULATED-flapping',
      personality: 'stock',
      brokers: BROKERS.map((id) => ({
        id,
        rack: `rack-${id % 3}`,
        state: id === 5 ? 'down' : 'up',
        logDirs: DIRECTORIES,
      })),
      topics: TOPICS.map((name) => ({
        name,
        partitions: Array.from({ length: PARTITIONS }, (_, n) => partitionOf(n)),
      })),
    },
    'flapping cluster',
  )
}

/**
 * What happens next, one of many things: brokers that go and come, directories that fail and return empty, records, a controller change, a topic
 * made anew, a broker that is slow or breaks off. Broker 1 stays, so that there is always somebody to ask.
 */
export async function flap(simulator: RunningSimulator, random: () => number): Promise<string> {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const broker = pick(BROKERS.slice(1))
  const path = pick(DIRECTORIES)
  const state = simulator.inspect().brokers.get(broker)
  const topic = pick(TOPICS)
  const chance = random()
  if (chance < 0.1) {
    simulator.clearFaults()
    const trouble = pick([
      { delayMs: 400, times: 5 },
      { closeConnection: true, times: 3 },
      { error: 7, times: 3 },
    ])
    simulator.addFault({ broker, ...trouble })
    return `fault of broker ${broker}`
  }
  const event: ScenarioEvent =
    chance < 0.5
      ? state === 'down'
        ? { brokerUp: broker }
        : { brokerDown: { broker, kill: random() < 0.5 } }
      : chance < 0.62
        ? { failLogDir: { broker, path } }
        : chance < 0.78
          ? { replaceLogDir: { broker, path } }
          : chance < 0.9
            ? { appendRecords: { topic, partition: Math.floor(random() * PARTITIONS), records: 10 } }
            : chance < 0.94
              ? { brokerRestart: broker }
              : chance < 0.97
                ? { controllerUp: true }
                : { recreateTopic: topic }
  await simulator.apply(event)
  return JSON.stringify(event)
}
