import { describe, expect, it } from 'vitest'
import { predictedWinner } from '../../../src/recovery/planning/predicted-winner.js'

const alive =
  (...brokers: number[]) =>
  (broker: number) =>
    brokers.includes(broker)
const roles = (isr: number[], elr: number[] | null, lastKnownElr: number[] | null) => ({ isr, elr, lastKnownElr })

// PartitionChangeBuilder.electAnyLeader, step by step; what kafka-facts says was measured on 4.4.0.
describe('predicted winner', () => {
  it('takes the first of the list that is in ISR', () => {
    expect(predictedWinner(roles([1, 2], [3], [4]), [3, 2, 1], alive(1, 2, 3))).toEqual({
      kind: 'broker',
      broker: 2,
      by: 'isr',
    })
  })

  it('takes one in ELR only when the ISR is empty', () => {
    expect(predictedWinner(roles([], [3, 2], [1]), [1, 2, 3], alive(1, 2, 3))).toMatchObject({ broker: 2, by: 'elr' })
    expect(predictedWinner(roles([4], [3], []), [1, 2, 3, 4], alive(1, 2, 3))).toMatchObject({ broker: 1, by: 'order' })
  })

  it('takes the last known leader before the first of the list: state Z, with ELR and without', () => {
    expect(predictedWinner(roles([], [], [1]), [2, 3, 1], alive(1, 2, 3))).toMatchObject({
      broker: 1,
      by: 'lastKnownLeader',
    })
    expect(predictedWinner(roles([1], null, null), [2, 3, 1], alive(1, 2, 3))).toMatchObject({ broker: 1, by: 'isr' })
  })

  it('of a cluster without ELR, empty lists or none told are the same, whoever is alive and whatever happens', () => {
    for (const order of [
      [1, 2, 3],
      [2, 3, 1],
      [3, 1, 2],
    ]) {
      for (const who of [[], [1], [2], [3], [1, 2], [2, 3], [1, 3], [1, 2, 3]]) {
        for (const cause of ['unclean', 'touch'] as const) {
          const told = predictedWinner(roles([1], [], []), order, alive(...who), cause)
          expect(told).toEqual(predictedWinner(roles([1], null, null), order, alive(...who), cause))
          if (who.includes(1)) expect(told).toEqual({ kind: 'broker', broker: 1, by: 'isr' })
          else if (cause === 'touch') expect(told).toEqual({ kind: 'nobody' })
        }
      }
    }
  })

  it('lets a dead ELR member switch the last known leader off', () => {
    expect(predictedWinner(roles([], [2], [1]), [3, 1, 2], alive(1, 3))).toMatchObject({ broker: 3, by: 'order' })
  })

  it('takes no last known leader where there are several', () => {
    expect(predictedWinner(roles([], [], [1, 2]), [3, 1, 2], alive(1, 2, 3))).toMatchObject({ broker: 3, by: 'order' })
  })

  it('elects by the list in an unclean election only', () => {
    expect(predictedWinner(roles([], [2], [1]), [3, 1, 2], alive(1, 3), 'touch')).toEqual({ kind: 'nobody' })
    expect(predictedWinner(roles([], [], [1]), [3, 1, 2], alive(1, 3), 'touch')).toMatchObject({ broker: 1 })
  })

  it('elects nobody where nobody is acceptable', () => {
    expect(predictedWinner(roles([1], null, null), [1, 2], alive())).toEqual({ kind: 'nobody' })
    expect(predictedWinner(roles([], null, null), [1, 2], alive())).toEqual({ kind: 'nobody' })
  })

  it('does not guess where the ISR is empty and no ELR was told', () => {
    expect(predictedWinner(roles([], null, null), [1, 2, 3], alive(2, 3))).toEqual({ kind: 'unknown', among: [2, 3] })
    expect(predictedWinner(roles([], null, null), [1, 2, 3], alive(2))).toMatchObject({ broker: 2, by: 'order' })
    expect(predictedWinner(roles([], null, null), [1, 2, 3], alive(2), 'touch')).toEqual({
      kind: 'unknown',
      among: [2],
    })
  })
})
