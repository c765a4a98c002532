import { expect, test } from 'vitest'
import { connectCluster } from '../../src/cluster/connect.js'
import { BEHAVIOURS, claims, expectEndsSoon, NOISE, session, started } from './hostile-behaviours.js'
import { pour } from './hostile-broker.js'

// Issue 6, 7: everything that may answer at a broker's address, and what it may cost.

test.each(BEHAVIOURS)('%s: the program ends soon, with one line', async (_name, behaviour) => {
  await expectEndsSoon(behaviour)
  expect.hasAssertions()
})

test('a frame of 200 MB of noise costs its size and no more, and is refused', async () => {
  const size = 200 * 1024 * 1024
  const broker = await started({
    onRequest(socket) {
      socket.write(claims(size))
      pour(socket, NOISE)
    },
  })
  const before = process.memoryUsage()
  const failure = await connectCluster(session(broker.port, 20_000)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'NoBrokerReachableError' })
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  // Its pieces and the frame that they are joined to.
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(3 * size)
  expect(heapUsed - before.heapUsed).toBeLessThan(100 * 1024 * 1024)
})
