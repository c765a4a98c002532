import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PartitionEvidence, ReplicaLog, ReplicaRead } from '../../../src/cluster/replica-log.js'
import { byTopicPartition } from '../../../src/cluster/snapshot.js'
import { parseElectFile } from '../../../src/recovery/files/elect-file.js'
import { parsePartitionFile } from '../../../src/recovery/files/partition-file.js'
import { designatedLeadersText, planFileText } from '../../../src/recovery/files/plan-json.js'
import type { RankedReplica, RecoveryPlan } from '../../../src/recovery/planning/plan.js'

const id = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const offset = fc.maxSafeNat()
const when = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
const text = fc.string({ maxLength: 20 })
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

function log(broker: number): fc.Arbitrary<ReplicaLog> {
  return fc
    .record({
      start: offset,
      length: fc.nat(),
      epochs: fc.uniqueArray(fc.nat(1000), { maxLength: 4 }),
      highWatermark: orNull(offset),
      sizeBytes: orNull(offset),
      logDir: orNull(text),
    })
    .map(({ start, length, epochs, ...told }): ReplicaLog => {
      const logStartOffset = Math.min(start, Number.MAX_SAFE_INTEGER - length)
      const history = length === 0 ? [] : epochs.sort((a, b) => a - b).slice(0, length)
      const last = history.at(-1)
      return {
        kind: 'read',
        broker,
        logStartOffset,
        logEndOffset: logStartOffset + length,
        lastWrittenEpoch:
          length === 0 ? { kind: 'none' } : last === undefined ? { kind: 'unknown' } : { kind: 'epoch', epoch: last },
        epochs: history.map((epoch, index) => ({ epoch, startOffset: logStartOffset + index })),
        ...told,
      }
    })
}

function replica(broker: number): fc.Arbitrary<ReplicaRead> {
  const cause = fc.constantFrom('down', 'offlineLogDir', 'late', 'moving', 'permission', 'error' as const)
  return fc.oneof(
    log(broker),
    fc
      .record({ cause, reason: text })
      .map(({ cause, reason }): ReplicaRead => ({ kind: 'notRead', broker, cause, reason })),
    log(broker).map((shown): ReplicaRead => ({ kind: 'notRead', broker, cause: 'fenced', reason: 'fenced', shown })),
  )
}

const evidence = fc
  .record({
    topic: fc.stringMatching(/^[A-Za-z0-9._-]{3,20}$/),
    topicId: orNull(text),
    partition: id,
    leader: orNull(id),
    leaderEpoch: fc.integer({ min: -1, max: 1000 }),
    replicas: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
    elr: orNull(fc.array(id, { maxLength: 2 })),
    lastKnownElr: orNull(fc.array(id, { maxLength: 2 })),
    offlineReplicas: fc.array(id, { maxLength: 2 }),
    isr: fc.array(id, { maxLength: 2 }),
  })
  .chain((state) =>
    fc
      .record({ replicas: fc.tuple(...state.replicas.map(replica)), readAt: when })
      .map(({ replicas, readAt }): PartitionEvidence => ({ state, replicas, readAt })),
  )

function ranking({ replicas }: PartitionEvidence): RankedReplica[] {
  let rank = 0
  return replicas.map((replica) => {
    if (replica.kind === 'notRead')
      return { broker: replica.broker, eligible: false, reason: replica.reason, rank: null }
    rank += 1
    return { broker: replica.broker, eligible: true, reason: null, rank }
  })
}

const loss = fc.record({
  known: orNull(offset),
  atLeast: offset,
  perReplica: fc.array(
    fc.record({
      broker: id,
      offsets: orNull(offset),
      ranges: fc.array(fc.record({ from: offset, to: offset, epoch: orNull(fc.nat()) }), { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
})

const planned = fc
  .record({
    evidence,
    designatedLeader: id,
    method: fc.constantFrom('designated', 'reorder', 'unclean' as const),
    kafkaWouldElect: orNull(id),
    loss,
    committedAtLeast: offset,
    byHand: fc.boolean(),
    warnings: fc.array(fc.record({ code: fc.constantFrom('loss', 'late', 'betterMissing' as const), text }), {
      maxLength: 2,
    }),
  })
  .map((entry) => ({
    ...entry,
    topic: entry.evidence.state.topic,
    topicId: entry.evidence.state.topicId,
    partition: entry.evidence.state.partition,
    electionOrder: [...entry.evidence.state.replicas].reverse(),
    ranking: ranking(entry.evidence),
  }))

const skipped = fc
  .record({
    evidence: orNull(evidence),
    code: fc.constantFrom('hasLeader', 'blocked', 'unread', 'unknownTopic' as const),
    reason: text,
    blockedBy: orNull(id),
    kafkaWouldElect: orNull(id),
    leader: orNull(id),
  })
  .map((entry) => ({
    ...entry,
    topic: entry.evidence?.state.topic ?? 'gone',
    partition: entry.evidence?.state.partition ?? 0,
    ranking: entry.evidence === null ? [] : ranking(entry.evidence),
  }))

const key = (entry: { topic: string; partition: number }) => `${entry.topic}-${entry.partition}`
const plan: fc.Arbitrary<RecoveryPlan> = fc
  .record({
    planId: fc.stringMatching(/^[a-z0-9]{1,12}$/),
    clusterId: fc.stringMatching(/^[A-Za-z0-9_-]{1,22}$/),
    createdAt: when,
    method: fc.constantFrom('designated', 'reorder' as const),
    strategy: fc.constantFrom('rank', 'longest-log' as const),
    partitions: fc.uniqueArray(planned, { maxLength: 3, selector: key }).map((list) => list.sort(byTopicPartition)),
    skipped: fc.uniqueArray(skipped, { maxLength: 3, selector: key }).map((list) => list.sort(byTopicPartition)),
  })
  .filter(({ partitions, skipped }) => !skipped.some((one) => partitions.map(key).includes(key(one))))

describe('a plan file', () => {
  test('is read back as the very plan that was written', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (written) => {
        const read = await parseElectFile(Buffer.from(planFileText(written)), 'plan.json')
        expect(read).toEqual({ kind: 'plan', plan: written })
      }),
      { numRuns: 200 },
    )
  })

  test('that names a partition twice, planned or skipped, is malformed', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (written, at) => {
        const file = JSON.parse(planFileText(written))
        const named = [...file.partitions, ...file.skipped]
        fc.pre(named.length > 0)
        const { topic, partition, evidence } = named[at % named.length]
        const again = {
          topic,
          partition,
          code: 'unread',
          reason: '',
          leader: null,
          blockedBy: null,
          kafkaWouldElect: null,
        }
        file.skipped.push({ ...again, evidence })
        await expect(parseElectFile(Buffer.from(JSON.stringify(file)), 'plan.json')).rejects.toThrow(
          `${topic}-${partition} was already named at line 1`,
        )
      }),
      { numRuns: 50 },
    )
  })

  test("is also a file in KIP-1275's form", () => {
    fc.assert(
      fc.property(plan, (written) => {
        fc.pre(written.partitions.length > 0)
        const { partitions } = parsePartitionFile(Buffer.from(planFileText(written)), 'plan.json')
        expect(partitions.map(({ path: _, ...named }) => named)).toEqual(
          written.partitions.map(({ topic, partition, designatedLeader }) => ({ topic, partition, designatedLeader })),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('the output of a manual recovery holds what the KIP names and nothing beside it', () => {
    fc.assert(
      fc.property(plan, (written) => {
        expect(JSON.parse(designatedLeadersText(written))).toEqual({
          partitions: written.partitions.map(({ topic, partition, designatedLeader }) => ({
            topic,
            partition,
            designatedLeader,
          })),
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('a plan file that was changed', () => {
  const [sample] = fc.sample(
    plan.filter(({ partitions, skipped }) => partitions.length > 0 && skipped.length === 0),
    { numRuns: 1, seed: 7 },
  )
  const changed = (change: (document: Record<string, unknown>, entry: Record<string, unknown>) => void) => {
    const document = JSON.parse(planFileText(sample!))
    change(document, document.partitions[0])
    return parseElectFile(Buffer.from(JSON.stringify(document)), 'plan.json')
  }

  test('another designated leader is taken: that is what hands are for', async () => {
    const read = await changed((_, entry) => {
      entry.designatedLeader = 77
    })
    expect(read.kind === 'plan' && read.plan.partitions[0]?.designatedLeader).toBe(77)
  })

  test.each<[string, (document: Record<string, unknown>, entry: Record<string, unknown>) => void, RegExp]>([
    ['no evidence', (_, entry) => delete entry.evidence, /line 1, column \d+ \(partitions\[0\]\.evidence\)|evidence/],
    [
      'an order with another member',
      (_, entry) => (entry.electionOrder = [1, 2, 3, 4, 5]),
      /electionOrder.*other members/,
    ],
    ['an unsafe offset', (_, entry) => (entry.committedAtLeast = 2 ** 60), /committedAtLeast/],
    ['a negative designated leader', (_, entry) => (entry.designatedLeader = -1), /a broker id is expected/],
    ['evidence of another partition', (_, entry) => (entry.topic = 'other'), /of another partition/],
    ['no cluster', (document) => delete document.clusterId, /clusterId/],
    ['an unknown method', (document) => (document.method = 'magic'), /\(method\)/],
  ])('%s is refused', async (_, change, message) => {
    await expect(changed(change)).rejects.toMatchObject({
      name: 'InputFileError',
      message: expect.stringMatching(message),
    })
    await expect(changed(change)).rejects.toThrow(/^plan\.json: [^\n]+$/)
  })
})

describe("KIP-1275's plain file for elect", () => {
  test('is taken with its leaders', async () => {
    const read = await parseElectFile(
      Buffer.from('{"partitions":[{"topic":"a","partition":1,"designatedLeader":0,"note":1}]}'),
      'f',
    )
    expect(read).toEqual({
      kind: 'plain',
      partitions: [{ topic: 'a', partition: 1, designatedLeader: 0, path: 'partitions[0].partition' }],
      extraFields: ['note'],
    })
  })

  test('an entry that names no leader is refused: elect never chooses unseen', async () => {
    await expect(parseElectFile(Buffer.from('{"partitions":[{"topic":"a","partitions":[1]}]}'), 'f')).rejects.toThrow(
      'no "designatedLeader"',
    )
  })
})
