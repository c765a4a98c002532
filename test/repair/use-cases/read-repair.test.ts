import { expect, test } from 'vitest'
import { NOTHING_SEEN } from '../../../src/repair/seen-placements.js'
import { readRepair } from '../../../src/repair/use-cases/read-repair.js'
import { connectTo, simulators } from '../../cli/harness.js'

const simulated = simulators()
const log = { logDir: '/d', logStartOffset: 0, logEndOffset: 5_000, epochs: [[0, 0]] }
const empty = { ...log, logEndOffset: 0, epochs: [] }

// Proves that a memory that cannot be written, on a full disk, does not hold an emptied directory for emptied for ever: what the cluster shows now counts.
test.each([
  ['is in sync again', [3, 1], null],
  ['is not in sync yet', [3], new Date(5)],
])('seen emptied, and that cannot be taken out of the memory: its broker %s', async (_, isr, seenEmptiedAt) => {
  const { simulator } = await simulated({
    clusterId: 'SIMULATED-full-disk',
    brokers: [1, 3].map((id) => ({ id, state: 'up', logDirs: ['/d'] })),
    // Slower than this reads.
    catchUpOffsetsPerSecond: 1,
    topics: [
      {
        name: 'orders',
        partitions: [
          {
            partition: 0,
            assignment: [1, 3],
            leader: 3,
            leaderEpoch: 6,
            isr,
            logs: { 1: isr.length > 1 ? log : empty, 3: log },
          },
        ],
      },
    ],
  })
  const cluster = await connectTo([simulator])
  const seen = { topic: 'orders', topicId: null, partition: 0, leaderEpoch: 5 }
  const reading = await readRepair(
    cluster,
    { broker: 1, path: '/d' },
    {
      durationMs: 5_000,
      writtenOff: new Set(),
      placements: { load: async () => NOTHING_SEEN, save: async () => {} },
      memory: {
        load: async () => [{ broker: 1, seenAt: new Date(5), partitions: [seen], elected: [] }],
        save: async () => {
          throw new Error('ENOSPC')
        },
      },
    },
  )
  expect(reading.seenEmptiedAt).toEqual(seenEmptiedAt)
})
