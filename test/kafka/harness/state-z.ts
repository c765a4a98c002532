import type { PartitionView, TestCluster } from './cluster.js'
import { until } from './until.js'

/** A partition in state Z (kafka-facts): the last known leader is alive, with an emptied log, and has not been elected yet. */
export interface StateZ {
  readonly topic: string
  /** Alive, empty, and the one whom any touch of the partition makes leader. */
  readonly lastKnownLeader: 1
  /** Alive, with the best log that is left; broker 3 is down and has less. */
  readonly best: 2
  readonly view: PartitionView
  /** The values in the log of 2, and in that of 3. */
  readonly logs: ReadonlyMap<number, readonly string[]>
}

const ATTEMPTS = 4

/**
 * Brings a new topic of one partition (replicas 1, 2, 3) into state Z: 3 and 2 die, 1 writes alone, is stopped cleanly, gets
 * an empty disk, and returns after 2. All three brokers must run before; broker 3 is down after.
 *
 * Why it works only after 1's old session has run out (measured on 4.4.0: 5 of 5 with, 0 of 3 without that wait). When 1 is
 * unfenced the controller tries an election, in which 1 counts only if the log directory that the partition names for it is
 * online. That is the lost directory's id until 1 has told where its new, empty replica is (AssignReplicasToDirs): told
 * before the unfencing, 1 is elected at once; told after, nothing happens until the next touch, and that is state Z. A broker
 * whose old session is still valid may not register (DUPLICATE_BROKER_REGISTRATION), and spends the wait on telling its
 * directories. So: stop it, wait until the controller lets the session run out, and start it then. What is left to chance
 * is tried again with another topic.
 */
export async function reachStateZ(cluster: TestCluster, topicPrefix: string): Promise<StateZ> {
  const seen: PartitionView[] = []
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const topic = `${topicPrefix}.${attempt}`
    const state = await tryStateZ(cluster, topic)
    if (isStateZ(state.view)) return state
    seen.push(state.view)
    await cluster.start(3)
    await cluster.untilDescribed(topic, 'all back in sync', ([view]) => view?.isr.length === 3)
  }
  throw new Error(`state Z was not reached in ${ATTEMPTS} attempts; seen: ${JSON.stringify(seen)}`)
}

async function tryStateZ(cluster: TestCluster, topic: string): Promise<StateZ> {
  const [one, two, three] = [cluster.broker(1), cluster.broker(2), cluster.broker(3)]
  const [shared, more, lost] = ['all three have it', 'only 1 and 2 have it', 'only 1 had it'].map((text) =>
    Array.from({ length: 4 }, (_, n) => `${topic} ${text} ${n}`),
  ) as [string[], string[], string[]]
  await cluster.createTopic(topic, [[1, 2, 3]])
  await cluster.produce(topic, 0, shared, { acks: -1 })
  await three.kill()
  await cluster.untilFenced(3)
  await cluster.produce(topic, 0, more, { acks: -1 })
  await two.kill()
  await cluster.untilFenced(2)
  await cluster.produce(topic, 0, lost, { acks: -1 })
  const sessions = await cluster.expiredSessions(1)
  await one.stop()
  await one.emptyLogDir(one.logDirOf(topic, 0))
  await until("broker 1's old session to run out", async () => {
    const now = await cluster.expiredSessions(1)
    return now > sessions ? { done: undefined } : { seen: `${now} of its sessions have run out` }
  })
  await two.start()
  await one.start({ format: true })
  const [view] = await cluster.untilDescribed(
    topic,
    'broker 1 to have its replica in an online directory',
    ([partition]) => partition !== undefined && !partition.offlineReplicas.includes(1),
  )
  if (view === undefined) throw new Error(`${topic} has no partition`)
  return {
    topic,
    lastKnownLeader: 1,
    best: 2,
    view,
    logs: new Map([
      [2, [...shared, ...more]],
      [3, shared],
    ]),
  }
}

function isStateZ({ leader, isr, elr, lastKnownElr }: PartitionView): boolean {
  return leader === -1 && isr.length === 0 && elr?.length === 0 && lastKnownElr?.join() === '1'
}
