export type Settings = Readonly<Record<string, string>>

/** How soon a killed broker is fenced: the shortest that a busy two-core machine bears without fencing living brokers. */
export const SESSION_TIMEOUT_MS = 3_000

const COMMON: Settings = {
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  'controller.listener.names': 'CONTROLLER',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'background.threads': '2',
  'log.cleaner.dedupe.buffer.size': '4194304',
  // Both sides: the controller fences after the first, the brokers report at the second.
  'broker.session.timeout.ms': String(SESSION_TIMEOUT_MS),
  'broker.heartbeat.interval.ms': '300',
  // Else the controller touches leaderless partitions by itself, now and then (kafka-facts, state Z).
  'auto.leader.rebalance.enable': 'false',
}

const BROKER: Settings = {
  'auto.create.topics.enable': 'false',
  'num.recovery.threads.per.data.dir': '1',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  'min.insync.replicas': '1',
}

export interface NodeLayout {
  readonly id: number
  readonly port: number
  readonly logDirs: readonly string[]
  readonly controller: { readonly id: number; readonly port: number }
  readonly config: Settings
}

/** The controller's server.properties. */
export function controllerProperties(node: NodeLayout): string {
  return properties({
    ...shared(node),
    'process.roles': 'controller',
    listeners: `CONTROLLER://127.0.0.1:${node.port}`,
    ...node.config,
  })
}

/** A broker's server.properties. */
export function brokerProperties(node: NodeLayout): string {
  return properties({
    ...shared(node),
    ...BROKER,
    'process.roles': 'broker',
    listeners: `PLAINTEXT://127.0.0.1:${node.port}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.port}`,
    ...node.config,
  })
}

/** server.properties of a broker in ZooKeeper mode. */
export function zookeeperBrokerProperties(node: Omit<NodeLayout, 'controller'>, zookeeperPort: number): string {
  const { 'listener.security.protocol.map': _map, 'controller.listener.names': _names, ...common } = COMMON
  return properties({
    ...common,
    ...BROKER,
    'broker.id': String(node.id),
    'log.dirs': node.logDirs.join(','),
    listeners: `PLAINTEXT://127.0.0.1:${node.port}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.port}`,
    'zookeeper.connect': `127.0.0.1:${zookeeperPort}`,
    'zookeeper.session.timeout.ms': String(SESSION_TIMEOUT_MS),
    ...node.config,
  })
}

/** zoo.cfg of a single server. */
export function zookeeperProperties(port: number, dataDir: string): string {
  return properties({
    dataDir,
    clientPort: String(port),
    clientPortAddress: '127.0.0.1',
    // A session lasts at least two ticks.
    tickTime: '500',
    maxClientCnxns: '0',
    'admin.enableServer': 'false',
  })
}

function shared({ id, logDirs, controller }: NodeLayout): Settings {
  return {
    ...COMMON,
    'node.id': String(id),
    'log.dirs': logDirs.join(','),
    'controller.quorum.voters': `${controller.id}@127.0.0.1:${controller.port}`,
  }
}

/** Settings as a file that Kafka reads (java.util.Properties, ISO 8859-1): backslashes, line ends and other letters escaped. */
export function properties(settings: Settings): string {
  const escaped = (value: string) =>
    value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${Object.entries(settings)
    .map(([key, value]) => `${key}=${escaped(value)}`)
    .join('\n')}\n`
}
