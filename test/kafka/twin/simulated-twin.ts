import { checkScenario } from '../../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import type { Placement } from './real-twin.js'
import type { Twin, TwinTopic } from './twin.js'

const BROKERS = [1, 2, 3]
const DISKS = ['disk1', 'disk2']

/** The same scenario on the simulator: it begins healthy, with replicas in the directories that the real brokers chose. */
export class SimulatedTwin implements Twin {
  readonly name = 'simulator'
  readonly #simulator: RunningSimulator
  readonly #placement: Placement

  private constructor(simulator: RunningSimulator, placement: Placement) {
    this.#simulator = simulator
    this.#placement = placement
  }

  static async open(topics: readonly TwinTopic[], placement: Placement, elr: boolean): Promise<SimulatedTwin> {
    const scenario = checkScenario(
      {
        clusterId: 'SIMULATED-twin',
        elr,
        // Kafka keeps its metadata in the first log directory unless told otherwise.
        brokers: BROKERS.map((id) => ({
          id,
          logDirs: DISKS.map((disk) => `/${disk}`),
          metadataLogDir: `/${DISKS[0]}`,
        })),
        topics: topics.map(({ name, assignment, config = {} }) => ({
          name,
          config,
          partitions: assignment.map((replicas, partition) => ({
            partition,
            assignment: replicas,
            leader: replicas[0],
            leaderEpoch: 0,
            isr: replicas,
            logs: Object.fromEntries(
              replicas.map((id, position) => [
                id,
                {
                  logDir: `/${placement(id, name, partition)}`,
                  logStartOffset: 0,
                  logEndOffset: 0,
                  // A leader notes its epoch when it takes over, before any record.
                  epochs: position === 0 ? [[0, 0]] : [],
                },
              ]),
            ),
          })),
        })),
      },
      'twin',
    )
    return new SimulatedTwin(await startSimulator(scenario), placement)
  }

  runningPorts(): number[] {
    const { brokers } = this.#simulator.inspect()
    return [...this.#simulator.ports].filter(([id]) => brokers.get(id) !== 'down').map(([, port]) => port)
  }

  write(topic: string, partition: number, records: number): Promise<void> {
    return this.#simulator.apply({ appendRecords: { topic, partition, records } })
  }

  async kill(...brokers: readonly number[]): Promise<void> {
    for (const broker of brokers) await this.#simulator.apply({ brokerDown: { broker, kill: true } })
  }

  stop(broker: number): Promise<void> {
    return this.#simulator.apply({ brokerDown: broker })
  }

  async start(...brokers: readonly number[]): Promise<void> {
    for (const broker of brokers) await this.#simulator.apply({ brokerUp: broker })
  }

  replaceDiskOf(broker: number, topic: string, partition: number): Promise<void> {
    return this.#simulator.apply({ replaceLogDir: { broker, path: `/${this.#placement(broker, topic, partition)}` } })
  }

  failDiskOf(broker: number, topic: string, partition: number): Promise<void> {
    return this.#simulator.apply({ failLogDir: { broker, path: `/${this.#placement(broker, topic, partition)}` } })
  }

  removeDisk(broker: number, disk: string): Promise<void> {
    return this.#simulator.apply({ removeLogDir: { broker, path: this.pathOf(broker, disk) } })
  }

  pathOf(_broker: number, disk: string): string {
    return `/${disk}`
  }

  dispose(): Promise<void> {
    return this.#simulator.stop()
  }
}
