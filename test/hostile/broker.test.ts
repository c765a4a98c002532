import { expect, onTestFinished, test } from 'vitest'
import { connectCluster } from '../../src/cluster/connect.js'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { DescribeTopicPartitions } from '../../src/protocol/rpc/describe-topic-partitions.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { encodeResponse } from '../../src/protocol/schema/rpc.js'
import { framed } from '../protocol/transport/fake-broker.js'
import { BEHAVIOURS, expectEndsSoon, session, started } from './hostile-behaviours.js'
import { metadataFrame, versionsFrame } from './hostile-broker.js'

// Issue 6, 7: what answers at a broker's address may be anything. The program ends in bounded time, with one line that says what was there. All behaviours, and what
// they cost in memory: broker.long.test.ts.

test.each(BEHAVIOURS.filter((_, at) => at % 4 === 1))(
  '%s: the program ends soon, with one line',
  async (_name, behaviour) => {
    await expectEndsSoon(behaviour)
    expect.hasAssertions()
  },
)

test('a connection that breaks at each byte of an answer: said each time, and nothing is left of it', async () => {
  const whole = versionsFrame(0).length
  let cutAt = 0
  const broker = await started({
    onRequest: (socket, { correlationId }) => socket.end(versionsFrame(correlationId).subarray(0, cutAt)),
  })
  for (; cutAt < whole; cutAt += 1) {
    const failure = await connectCluster(session(broker.port, 5_000)).catch((error: unknown) => error)
    expect(failure, `cut at ${cutAt}`).toMatchObject({ name: 'NoBrokerReachableError' })
    expect((failure as Error).message).not.toContain('\n')
  }
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
  await expect.poll(sockets).toBe(0)
})

test('closing gives up what is still being connected: nothing is left, and it takes no time', async () => {
  const silent = await started({})
  const answering = await started({
    onRequest(socket, asked) {
      socket.write(asked.apiKey === ApiVersions.apiKey ? versionsFrame(asked.correlationId) : metadataFrame(asked, 1))
    },
  })
  const resources = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'TCPSocketWrap')
  const before = resources().length
  const { bootstrapServers, ...rest } = session(answering.port, 60_000)
  const cluster = await connectCluster({
    ...rest,
    bootstrapServers: [...bootstrapServers, { host: '127.0.0.1', port: silent.port }],
  })
  const startedAt = performance.now()
  await cluster.close()
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  // The listeners' own ends of the connections go with them.
  await expect.poll(() => resources().length).toBe(before)
})

/** Answers each page of partitions after a while, with a place to go on that never comes to an end. */
async function endlessPages(cursor: (page: number) => { topicName: string; partitionIndex: number }, delayMs: number) {
  let pages = 0
  const broker = await started({
    onRequest(socket, asked) {
      const { apiKey, correlationId } = asked
      if (apiKey === ApiVersions.apiKey) socket.write(versionsFrame(correlationId))
      else if (apiKey === Metadata.apiKey) socket.write(metadataFrame(asked, broker.port))
      else {
        pages += 1
        const body = encodeResponse(DescribeTopicPartitions, 0, {
          throttleTimeMs: 0,
          topics: [],
          nextCursor: cursor(pages),
        })
        setTimeout(() => socket.write(framed(correlationId, Buffer.concat([Buffer.of(0), body]))), delayMs)
      }
    },
  })
  return { broker, pages: () => pages }
}

test('pages that go back and forth end at the first that does not go on', async () => {
  const { broker, pages } = await endlessPages((page) => ({ topicName: 't', partitionIndex: page % 2 }), 0)
  const cluster = await connectCluster(session(broker.port, 2_000))
  onTestFinished(() => cluster.close())
  await cluster.readPartitions([{ topic: 't', partition: 0 }]).catch(() => undefined)
  expect(pages()).toBeLessThan(5)
})

test('pages that always go on, each just in time, do not outlast the deadline of the whole', async () => {
  const { broker } = await endlessPages((page) => ({ topicName: 't', partitionIndex: page }), 250)
  const cluster = await connectCluster(session(broker.port, 500))
  onTestFinished(() => cluster.close())
  const startedAt = performance.now()
  const failure = await cluster.readPartitions([{ topic: 't', partition: 0 }]).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: 'timeout' })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
