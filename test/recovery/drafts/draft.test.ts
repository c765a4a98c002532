import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { partitionName } from '../../../src/cluster/snapshot.js'
import {
  acceptCode,
  checkDraft,
  chooseLeader,
  type Draft,
  emptyDraft,
  forget,
  takeOut,
} from '../../../src/recovery/drafts/draft.js'
import { nodeDraftStorage } from '../../../src/recovery/drafts/node-draft-storage.js'
import { planSelection } from '../../../src/recovery/drafts/selection-plan.js'
import { diagnosisOf } from '../diagnosed.js'
import { notRead, planningContext, replicaLog } from '../scenario-evidence.js'

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [2, 'up'],
    [3, 'down'],
  ]),
)

function partition(number: number, one: number, two: number, leaderEpoch = 9): PartitionEvidence {
  const log = (broker: number, end: number, epoch: number) =>
    replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: end === 0 ? [] : [[epoch, 0]] })
  return {
    state: {
      topic: 'orders',
      topicId: 'id',
      partition: number,
      leader: null,
      leaderEpoch,
      replicas: [1, 2, 3],
      isr: [],
      elr: [],
      lastKnownElr: [],
      offlineReplicas: [3],
    },
    replicas: [log(1, one, 5), log(2, two, 4), notRead(3, 'down')],
    readAt: new Date('2026-01-01T03:00:00Z'),
  }
}
/** 0 and 1: broker 1 wins by epoch, and 2 would lose everything: contested. 2: planned. */
const EVIDENCES = [partition(0, 10, 100), partition(1, 10, 90), { ...partition(2, 100, 0) }]
const at = (number: number) => ({ topic: 'orders', partition: number })
const MADE = { planId: 'mine', now: new Date('2026-01-01T03:10:00Z') }

function chosen(draft: Draft, evidence: PartitionEvidence, broker: number): Draft {
  const result = chooseLeader(draft, evidence, broker, CONTEXT)
  if (result.kind === 'refused') throw new Error(result.reason)
  return result.draft
}

const summary = ({ partitions }: { partitions: readonly { partition: number; designatedLeader: number }[] }) =>
  partitions.map(({ partition: number, designatedLeader }) => `${number} -> ${designatedLeader}`)

describe('choices made by hand', () => {
  it('are planned instead of what rank says; the rest is as diagnosed', () => {
    const diagnosis = diagnosisOf(EVIDENCES, CONTEXT)
    const plain = planSelection(diagnosis, [at(0), at(1), at(2)], emptyDraft('here'), MADE)
    expect(summary(plain.plan)).toEqual(['2 -> 1'])
    expect(plain.plan.skipped.map(({ code }) => code)).toEqual(['contested', 'contested'])
    const draft = takeOut(chosen(emptyDraft('here'), EVIDENCES[0]!, 2), [at(2)])
    const { plan, takenOut } = planSelection(diagnosis, [at(2), at(1), at(0)], draft, MADE)
    expect(summary(plan)).toEqual(['0 -> 2'])
    expect(plan).toMatchObject({ planId: 'mine', createdAt: MADE.now, clusterId: 'here', strategy: 'rank' })
    expect(plan.partitions[0]?.byHand).toBe(true)
    expect(takenOut).toEqual([at(2)])
    expect(summary(planSelection(diagnosis, [at(2)], forget(draft, [at(2)]), MADE).plan)).toEqual(['2 -> 1'])
  })

  it('are refused where the broker cannot be elected', () => {
    expect(chooseLeader(emptyDraft('here'), EVIDENCES[0]!, 3, CONTEXT)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('broker 3'),
    })
  })

  it('accept one code over a listed set, and no other partition', () => {
    const { draft, accepted, stillLeft } = acceptCode(emptyDraft('here'), 'contested', [EVIDENCES[0]!], CONTEXT)
    expect([accepted, stillLeft]).toEqual([[at(0)], []])
    const { plan } = planSelection(diagnosisOf(EVIDENCES, CONTEXT), [at(0), at(1)], draft, MADE)
    expect(summary(plan)).toEqual(['0 -> 1'])
    expect(plan.partitions[0]?.warnings[0]).toMatchObject({ code: 'accepted', overruled: 'contested' })
    expect(plan.skipped.map(({ partition: number, code }) => [number, code])).toEqual([[1, 'contested']])
    const refused = acceptCode(draft, 'empty', [EVIDENCES[1]!], CONTEXT)
    expect(refused.draft).toBe(draft)
    expect(refused.stillLeft).toMatchObject([{ partition: 1, reason: expect.stringContaining('would lose') }])
  })

  it('leave no trace in the draft before them', () => {
    const before = chosen(emptyDraft('here'), EVIDENCES[0]!, 2)
    const entries = [...before.entries]
    takeOut(before, [at(0), at(1)])
    forget(before, [at(0)])
    acceptCode(before, 'contested', EVIDENCES, CONTEXT)
    expect([...before.entries]).toEqual(entries)
  })

  it('do not plan what was not read, changed since, or has a leader', () => {
    const diagnosis = diagnosisOf(EVIDENCES, CONTEXT)
    const [zero, one, two] = diagnosis.partitions
    const partitions = [zero!, { ...one!, decided: null }, { ...two!, outdated: true }]
    const selected = [at(0), at(1), at(2), at(3)]
    const result = planSelection({ ...diagnosis, partitions }, selected, emptyDraft('here'), MADE)
    expect(result.notRead).toEqual([at(1), at(2)])
    expect(result.gone).toEqual([at(3)])
    expect(result.plan.skipped.map(({ partition: number }) => number)).toEqual([0])
  })

  it('carry the time at which their logs were last seen so', () => {
    const confirmedAt = new Date('2026-01-01T03:09:00Z')
    const { plan } = planSelection(diagnosisOf(EVIDENCES, CONTEXT, { confirmedAt }), [at(2)], emptyDraft('here'), MADE)
    expect(plan.partitions[0]?.evidence.readAt).toEqual(confirmedAt)
  })
})

describe('a draft checked anew', () => {
  const draft = takeOut(chosen(chosen(emptyDraft('here'), EVIDENCES[0]!, 2), EVIDENCES[1]!, 2), [at(2)])

  it('says of each choice whether it is as planned, or what changed', () => {
    const statuses = (evidences: readonly PartitionEvidence[]) =>
      checkDraft(draft, diagnosisOf(evidences, CONTEXT), () => 3).map(({ status }) => status)
    expect(statuses(EVIDENCES)).toEqual([{ kind: 'asPlanned' }, { kind: 'asPlanned' }, { kind: 'asPlanned' }])
    const led = { ...EVIDENCES[2]!, state: { ...EVIDENCES[2]!.state, leader: 3 } }
    expect(statuses([partition(0, 10, 101), partition(1, 10, 90, 12), led])).toEqual([
      { kind: 'changed', what: 'the log of broker 2 ended at 100, and ends at 101' },
      { kind: 'changed', what: 'its leader epoch was 9, and is 12' },
      { kind: 'gone', what: 'broker 3 leads it by now' },
    ])
  })

  it('is not checked where nothing was read yet, and not as planned on another cluster', () => {
    const diagnosis = diagnosisOf(EVIDENCES, CONTEXT)
    const partitions = diagnosis.partitions.map((one) => ({ ...one, decided: null }))
    expect(checkDraft(draft, { ...diagnosis, partitions })[0]?.status).toEqual({ kind: 'unread' })
    expect(checkDraft(draft, { ...diagnosis, clusterId: 'there' })[0]?.status.kind).toBe('changed')
  })
})

describe('a draft on disk', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'draft-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const everything = (): Draft => {
    const draft = takeOut(chosen(emptyDraft('here'), EVIDENCES[0]!, 2), [at(7)])
    return acceptCode(draft, 'contested', [EVIDENCES[1]!], CONTEXT).draft
  }

  it('outlives the connection, for its owner alone', async () => {
    const storage = nodeDraftStorage(join(folder, 'state'))
    expect(await storage.load('here')).toEqual({ kind: 'none' })
    const draft = everything()
    await storage.save(draft, MADE.now)
    const loaded = await storage.load('here')
    expect(loaded).toMatchObject({ kind: 'draft', savedAt: MADE.now })
    if (loaded.kind !== 'draft') return
    expect(new Map([...loaded.draft.entries].sort())).toEqual(new Map([...draft.entries].sort()))
    const checked = checkDraft(loaded.draft, diagnosisOf(EVIDENCES, CONTEXT))
    expect(checked.map(({ partition: number, status }) => [number, status.kind])).toEqual([
      [0, 'asPlanned'],
      [1, 'asPlanned'],
      [7, 'gone'],
    ])
    const [file] = await readdir(join(folder, 'state'))
    expect((await stat(join(folder, 'state', file!))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700)
  })

  it('is one for each cluster, replaced whole, and taken away when nothing is left of it', async () => {
    const storage = nodeDraftStorage(folder)
    const odd = '../SIMULATED night/shift'
    await storage.save(everything(), MADE.now)
    await storage.save({ ...everything(), clusterId: odd }, MADE.now)
    await storage.save(takeOut(emptyDraft('here'), [at(1)]), MADE.now)
    expect(await storage.load('here')).toMatchObject({ draft: { entries: new Map([['orders-1', expect.anything()]]) } })
    expect(await storage.load(odd)).toMatchObject({ kind: 'draft', draft: { clusterId: odd } })
    expect((await readdir(folder)).length).toBe(2)
    await storage.save(emptyDraft('here'), MADE.now)
    expect(await storage.load('here')).toEqual({ kind: 'none' })
    await storage.save(emptyDraft('here'), MADE.now)
  })

  it('is said to be damaged, whatever was done to it, and kept out of the way of the next one', async () => {
    const storage = nodeDraftStorage(folder)
    await storage.save(everything(), MADE.now)
    const [name] = await readdir(folder)
    const whole = await readFile(join(folder, name!), 'utf8')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 2 }), async (length) => {
        await writeFile(join(folder, name!), whole.slice(0, length))
        const loaded = await storage.load('here')
        expect(loaded.kind).toBe('damaged')
        if (loaded.kind !== 'damaged') return
        expect(loaded.problem.split('\n')).toHaveLength(1)
        expect(await readFile(loaded.path, 'utf8')).toBe(whole.slice(0, length))
        expect(await storage.load('here')).toEqual({ kind: 'none' })
        await rm(loaded.path)
      }),
      { numRuns: 40 },
    )
  })

  it('is damaged, too, if it is of another cluster or a number in it is none', async () => {
    const storage = nodeDraftStorage(folder)
    await storage.save(everything(), MADE.now)
    const [name] = await readdir(folder)
    const whole = await readFile(join(folder, name!), 'utf8')
    for (const text of [
      whole.replace('"clusterId":"here"', '"clusterId":"there"'),
      whole.replace('"designatedLeader":2', '"designatedLeader":"2"'),
    ]) {
      await writeFile(join(folder, name!), text)
      expect(await storage.load('here')).toMatchObject({
        kind: 'damaged',
        problem: expect.stringMatching(/there|designatedLeader/),
      })
    }
  })

  it('tells what the system says where it cannot be written', async () => {
    if (process.getuid?.() === 0) {
      await writeFile(join(folder, 'file'), '')
      await expect(nodeDraftStorage(join(folder, 'file')).save(everything(), MADE.now)).rejects.toThrow()
      return
    }
    await chmod(folder, 0o500)
    await expect(nodeDraftStorage(folder).save(everything(), MADE.now)).rejects.toThrow('EACCES')
    expect(await readdir(folder)).toEqual([])
  })

  it('names partitions as maps do', () => {
    for (const [key, entry] of everything().entries) expect(key).toBe(partitionName(entry))
  })
})
