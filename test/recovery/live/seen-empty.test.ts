import { describe, expect, it } from 'vitest'
import { partitionName } from '../../../src/cluster/snapshot.js'
import { emptyDraft } from '../../../src/recovery/drafts/draft.js'
import { planSelection } from '../../../src/recovery/drafts/selection-plan.js'
import type { SeenEmpty, SeenEmptyStorage } from '../../../src/recovery/returns/seen-empty.js'
import type { LiveDiagnosis } from '../../../src/recovery/use-cases/live-diagnosis.js'
import { settled, WatchedNight } from './watched-night.js'

// A broker that was emptied and then stopped, as its alarm says, carries its warning on: in the groups, the start advice and the plan, in the
// console that saw it, in one that is opened later, and as long as nothing was elected. The command line does the same (test/cli/safety.test.ts).

/** 1 led last and came up with an empty log of a-0; b-0 has its leader away with 1, whose log of it nobody saw empty. */
function emptied() {
  return new WatchedNight({ 1: 'up', 2: 'up', 9: 'down' })
    .add('a', 0, { 1: 0, 2: 50, 9: 50 }, { elr: [1], lastKnownElr: [1] })
    .add('b', 0, { 2: 50, 9: 50 }, { elr: [9], lastKnownElr: [9] })
}

function stop(night: WatchedNight) {
  night.brokers.set(1, 'down')
  night.alter('a-0', { offlineReplicas: [1, 9] })
}

function memoryIn(kept: Map<string, readonly SeenEmpty[]>): SeenEmptyStorage {
  return {
    load: async (clusterId) => kept.get(clusterId) ?? [],
    save: async (clusterId, seen) => void kept.set(clusterId, seen),
  }
}

async function shown(night: WatchedNight, live: LiveDiagnosis) {
  night.show(true)
  await settled(() => live.current()?.progress.notRead === 0)
  await settled()
  return live.current()!
}

const groupOf = (diagnosis: NonNullable<ReturnType<LiveDiagnosis['current']>>, name: string) =>
  diagnosis.groups.find(({ partitions }) => partitions.some((one) => partitionName(one) === name))?.id
const planOf = (diagnosis: NonNullable<ReturnType<LiveDiagnosis['current']>>) =>
  planSelection(diagnosis, diagnosis.partitions, emptyDraft(diagnosis.clusterId), { planId: 'p', now: new Date(0) })
    .plan

describe.each([
  ['keeps what it saw', false],
  ['reads what an earlier run saw', true],
])('a live diagnosis %s', (_, another) => {
  it('warns of a broker that was emptied, after it was stopped', async () => {
    const night = emptied()
    const memory = memoryIn(new Map())
    let live = night.diagnose({ memory })
    const standing = await shown(night, live)
    expect(standing.alarms.map(({ code, broker }) => [code, broker])).toEqual([['emptyLogMayLead', 1]])
    expect(standing).toMatchObject({ seenEmpty: [], overview: { seenEmpty: [] } })
    if (another) {
      live.stop()
      live = night.diagnose({ memory })
    }
    stop(night)
    const after = await shown(night, live)
    expect(after.alarms).toEqual([])
    expect(after.seenEmpty).toMatchObject([{ broker: 1, partitions: [{ topic: 'a', partition: 0 }] }])
    // Its old log is gone: nothing waits for it; b-0 waits for 9 as before.
    expect([groupOf(after, 'a-0'), groupOf(after, 'b-0')]).toEqual(['A', 'B'])
    expect(after.overview.seenEmpty.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^Do NOT start broker 1: .* EMPTY log of 1 partition .* Elect this one first; then start it/,
      ),
    ])
    const { advice } = after.overview
    expect(advice.kind === 'start' && advice.lines.map(({ broker, order }) => [broker, order])).toEqual([[9, 1]])
    const warnings = planOf(after).partitions.flatMap((one) =>
      one.warnings.map(({ code, text }) => [one.topic, code, text]),
    )
    expect(warnings).toContainEqual([
      'a',
      'betterMissing',
      expect.stringContaining('was seen with an empty log before'),
    ])
    expect(warnings).toContainEqual(['b', 'betterMissing', expect.stringContaining('probably hold')])
    live.stop()
  })

  it('forgets it once a leader was elected, or its old log is back', async () => {
    for (const [end, isElected] of [
      [(night: WatchedNight) => night.alter('a-0', { leader: 2, leaderEpoch: 5, isr: [2] }), true],
      [
        (night: WatchedNight) => {
          night.brokers.set(1, 'up')
          night.alter('a-0', { offlineReplicas: [9] }, { 1: 60, 2: 50, 9: 50 })
        },
        false,
      ],
    ] as const) {
      const night = emptied()
      const kept = new Map<string, readonly SeenEmpty[]>()
      let live = night.diagnose({ memory: memoryIn(kept) })
      await shown(night, live)
      stop(night)
      await shown(night, live)
      expect(kept.get('night')).toHaveLength(1)
      if (another) {
        live.stop()
        live = night.diagnose({ memory: memoryIn(kept) })
      }
      end(night)
      const after = await shown(night, live)
      expect(after.seenEmpty).toEqual([])
      // What was elected is no danger any more: kept for the repair of its disk.
      expect(kept.get('night')).toEqual(isElected ? [expect.objectContaining({ partitions: [] })] : [])
      live.stop()
    }
  })
})

describe('a plan under an alarm', () => {
  it('warns of a leader that the alarm says to stop', async () => {
    const night = emptied().add('c', 0, { 1: 70, 2: 20 })
    const live = night.diagnose()
    const diagnosis = await shown(night, live)
    const planned = planOf(diagnosis).partitions.find(({ topic }) => topic === 'c')
    expect(planned?.designatedLeader).toBe(1)
    expect(planned?.warnings.map(({ code }) => code)).toContain('alarmedLeader')
    live.stop()
  })
})
