import { afterAll, beforeAll, expect, it } from 'vitest'
import { DescribeCluster } from '../../../src/protocol/rpc/describe-cluster.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import { Twins } from './twins.js'

// Twin tests (see twins.ts) where no eligible leader replicas are kept, as on 4.0 by default: the last leader stays in the ISR.

let kafka: TestCluster
let twins: Twins
beforeAll(async () => {
  kafka = await startCluster({ version: '4.0.2' })
  twins = await Twins.open(
    kafka,
    ['saved', 'lost'].map((name) => ({ name, assignment: [[3, 1, 2]] })),
    { elr: false },
  )
})
afterAll(async () => {
  await twins?.dispose()
  await kafka?.dispose()
})

it('without an authorizer everything is allowed, and told in the same bits', async () => {
  await twins.answered('operations on the cluster', async (client) => {
    const answer = await client.send(DescribeCluster, 0, { includeClusterAuthorizedOperations: true })
    return answer.clusterAuthorizedOperations
  })
  await twins.answered('operations on a topic', async (client) => {
    const { topics } = await client.send(Metadata, 12, {
      topics: [{ name: 'saved' }],
      allowAutoTopicCreation: false,
      includeTopicAuthorizedOperations: true,
    })
    return topics[0]?.topicAuthorizedOperations ?? 0
  })
})

it('an outage, our election, and state Z by the ISR: blocked, and set off by the return of another broker', async () => {
  await twins.write(10)
  await twins.kill(3)
  await twins.write(5)
  await twins.kill(2)
  await twins.write(3)
  await twins.stop(1)
  await twins.replaceDisks(1)
  await twins.start(2)
  expect(await twins.sameOf('saved')).toMatchObject({
    leader: null,
    isr: [1],
    elr: [],
    lastKnownElr: [],
    decision: { designatedLeader: 2, kafkaWouldElect: 2 },
  })
  expect(await twins.elect('preferred', 'saved', 0)).toBe(80)
  expect(await twins.recover([{ topic: 'saved', partition: 0 }])).toMatchObject([{ result: 'elected', leader: 2 }])
  await twins.start(1)
  const { partitions, alarms } = await twins.same()
  expect(partitions['saved-0']).toMatchObject({ leader: 2, replicas: [3, 1, 2], isr: [1, 2] })
  expect(partitions['lost-0']).toMatchObject({
    leader: null,
    isr: [1],
    offlineReplicas: [3],
    decision: { left: 'blocked', blockedBy: 1, kafkaWouldElect: 1 },
  })
  expect(alarms).toEqual(['emptyLogMayLead: broker 1 of lost-0'])
  await twins.start(3)
  expect(await twins.sameOf('lost')).toMatchObject({ leader: 1, logs: { 2: expect.stringMatching(/^0 to 0, /) } })
})
