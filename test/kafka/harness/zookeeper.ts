import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { TestBroker } from './broker.js'
import { type ClusterOptions, TestCluster } from './cluster.js'
import { freePorts } from './free-ports.js'
import { kafkaJars } from './jars.js'
import { KafkaProcess } from './kafka-process.js'
import { temporaryFolder } from './leftovers.js'
import { zookeeperBrokerProperties, zookeeperProperties } from './server-properties.js'

/**
 * A cluster in ZooKeeper mode (Kafka 3): a ZooKeeper server from the jars that Kafka brings along, and brokers. Whoever died is
 * noticed only while some broker runs. Dispose it, whatever happens.
 */
export async function startZookeeperCluster(options: Omit<ClusterOptions, 'elr'>): Promise<TestCluster> {
  const { version, brokers: count = 3, logDirsPerBroker = 2, config = {} } = options
  const jars = await kafkaJars(version)
  const folder = temporaryFolder()
  const [zookeeperPort, ...ports] = await freePorts(count + 1)
  if (zookeeperPort === undefined) throw new Error('no port for ZooKeeper')

  async function nodeOf(name: string, port: number, properties: string, probe?: (port: number) => Promise<void>) {
    const home = join(folder, name)
    await mkdir(home, { recursive: true })
    const file = join(home, 'server.properties')
    await writeFile(file, properties)
    const title = `${name} (Kafka ${version}, ZooKeeper mode)`
    const logFile = join(home, 'server.log')
    return new KafkaProcess({ name: title, jars, properties: file, logFile, port, ...(probe ? { probe } : {}) })
  }

  const data = join(folder, 'zookeeper', 'data')
  const zookeeper = await nodeOf('zookeeper', zookeeperPort, zookeeperProperties(zookeeperPort, data), serves)
  const brokers: TestBroker[] = []
  for (const [index, port] of ports.entries()) {
    const id = index + 1
    const name = `broker${id}`
    const logDirs = Array.from({ length: logDirsPerBroker }, (_, dir) => join(folder, name, `disk${dir + 1}`))
    for (const dir of logDirs) await mkdir(dir, { recursive: true })
    const process = await nodeOf(name, port, zookeeperBrokerProperties({ id, port, logDirs, config }, zookeeperPort))
    brokers.push(new TestBroker(id, port, logDirs, process, []))
  }
  const cluster = new TestCluster(version, null, folder, zookeeper, brokers)
  try {
    await zookeeper.launch('zookeeper')
    await zookeeper.untilAnswering()
    for (const broker of brokers) await broker.launch()
    for (const broker of brokers) await broker.untilStarted()
    await cluster.untilAlive(brokers.map(({ id }) => id))
    return cluster
  } catch (error) {
    await cluster.dispose()
    throw error
  }
}

/** The one four-letter word that is allowed by default. */
function serves(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('srvr'))
    let said = ''
    socket.on('data', (piece) => {
      said += piece.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (said.includes('Mode: standalone')) resolve()
      else reject(new Error(`ZooKeeper said: ${said}`))
    })
  })
}
