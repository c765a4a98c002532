import type { PartitionView, TestCluster, TopicToCreate } from './cluster.js'
import { type DivergedPartition, PartitionWriter } from './partition-writer.js'
import { SESSION_TIMEOUT_MS } from './server-properties.js'
import { until } from './until.js'

/**
 * A partition in state Z (kafka-facts): leader -1, ISR and ELR empty, last known ELR [1], and 1 is alive, with
 * an emptied log (without ELR: ISR [1], the rest alike).
 * 2 is alive, too, and has the best log that is left; 3 is down and has less. `logs` tells what they hold.
 */
export interface StateZ extends DivergedPartition {
  readonly view: PartitionView
}

const ATTEMPTS = 4
const SESSION_MARGIN_MS = 500

/**
 * Brings partitions of new topics into state Z, all at once: 3 dies, 1 and 2 go on, 2 dies, 1 writes alone, is stopped
 * cleanly, gets empty disks, and returns after 2. Every partition must have the replicas 1, 2, 3 (in any order); nothing
 * else should live on broker 1, since its directories that hold any of these partitions are emptied. All three brokers must
 * run before; 3 is down after.
 *
 * Why it works only after 1's old session has run out (measured: 12 of 12 first attempts with, 0 of 3 without that wait). When 1 is
 * unfenced the controller tries an election, in which 1 counts only if the log directory that the partition names for it is
 * online. That is the lost directory's id until 1 has told where its new, empty replica is (AssignReplicasToDirs). Told
 * before the unfencing: 1 is elected at once. Told after: nothing happens until the next touch, and that is state Z. A broker
 * whose old session is still valid may not register (DUPLICATE_BROKER_REGISTRATION), and meanwhile tells its directories.
 * So: stop it, wait until its session has run out, and start it then. The rest is a matter of some 50 ms,
 * so it looks, and tries again.
 */
export async function reachStateZ(cluster: TestCluster, topics: readonly TopicToCreate[]): Promise<StateZ[]> {
  await cluster.createTopics(topics)
  for (let attempt = 1; ; attempt++) {
    const writer = new PartitionWriter(cluster, topics)
    await tryStateZ(cluster, writer)
    const states: StateZ[] = []
    for (const diverged of writer.partitions) states.push({ ...diverged, view: await settledView(cluster, diverged) })
    if (states.every(({ view }) => isStateZ(view))) return states
    if (attempt === ATTEMPTS) {
      throw new Error(`state Z was not reached in ${ATTEMPTS} attempts; seen: ${JSON.stringify(states)}`)
    }
    // Any touch makes the emptied 1 leader everywhere, and all logs empty: as good as new.
    await cluster.start(3)
    await writer.untilIsr([1, 2, 3])
  }
}

async function tryStateZ(cluster: TestCluster, writer: PartitionWriter): Promise<void> {
  const [one, two, three] = [cluster.broker(1), cluster.broker(2), cluster.broker(3)]
  await writer.write(4, [1, 2, 3])
  await three.kill()
  await cluster.untilFenced(3)
  await writer.write(4, [1, 2])
  await two.kill()
  await cluster.untilFenced(2)
  await writer.write(4, [1])
  await one.stop()
  const stoppedAt = Date.now()
  const lost = new Set(writer.partitions.map(({ topic, partition }) => one.logDirOf(topic, partition)))
  for (const path of lost) await one.emptyLogDir(path)
  writer.forget(1)
  await two.start()
  await untilSessionOver(stoppedAt)
  await one.start({ format: true })
}

/**
 * A session is valid for the session timeout since the broker's last sign of life: nothing but time ends it, and only some
 * versions log that it has (4.4.0 does, 3.9.2 does not).
 */
export async function untilSessionOver(stoppedAt: number): Promise<void> {
  await until('the old session to run out', () => {
    const ms = Date.now() - stoppedAt
    return ms > SESSION_TIMEOUT_MS + SESSION_MARGIN_MS
      ? { done: undefined }
      : { seen: `${ms} ms since the broker's end` }
  })
}

/**
 * Once broker 1 has told where its new replicas are. Until then their directory is the lost one's: an election passes broker 1 by,
 * though it is alive, and takes whoever comes next.
 */
export function untilReplicaOnline(cluster: TestCluster, topic: string): Promise<readonly PartitionView[]> {
  return cluster.untilDescribed(topic, 'the replica on broker 1 to be online', (partitions) =>
    partitions.every(({ offlineReplicas }) => !offlineReplicas.includes(1)),
  )
}

async function settledView(cluster: TestCluster, { topic, partition }: DivergedPartition): Promise<PartitionView> {
  const views = await untilReplicaOnline(cluster, topic)
  const view = views.find((candidate) => candidate.partition === partition)
  if (view === undefined) throw new Error(`${topic} has no partition ${partition}`)
  return view
}

/** Without ELR, the last leader stays in the ISR instead. */
function isStateZ({ leader, isr, elr, lastKnownElr }: PartitionView): boolean {
  const byLastKnown = isr.length === 0 && elr?.length === 0 && lastKnownElr?.join() === '1'
  return leader === -1 && (byLastKnown || isr.join() === '1')
}
