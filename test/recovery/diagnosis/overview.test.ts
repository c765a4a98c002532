import { describe, expect, it } from 'vitest'
import { alarmsSentence, overviewOf, startNothingSentence } from '../../../src/recovery/diagnosis/overview.js'
import type { Alarm } from '../../../src/recovery/returns/alarms.js'
import { startAdvice, startFindings } from '../../../src/recovery/returns/start-advice.js'
import {
  bringsBackCounter,
  startLines,
  startLineText,
  uselessStartText,
} from '../../../src/recovery/returns/start-lines.js'
import { notRead, planningContext, replicaLog } from '../scenario-evidence.js'

const brokers = [
  { id: 1, host: 'kafka-1.eu', port: 9092, rack: null, state: 'up' as const, error: null },
  { id: 8, host: 'kafka-8.eu', port: 9092, rack: null, state: 'down' as const, error: null },
  { id: 9, host: null, port: null, rack: null, state: 'fenced' as const, error: null },
]
const INPUT = {
  snapshot: { clusterId: '4L6g3nSh', simulated: false, brokers, logDirs: null, partitions: { length: 9_412 } },
  offlineByTopic: new Map([
    ['__consumer_offsets', 11],
    ['orders', 1_189],
  ]),
  isInternal: (topic: string) => topic.startsWith('__'),
  alarms: [],
  toBeRead: 0,
  notReadable: new Map([
    [9, 'away'],
    [8, 'away'],
  ] as const),
  seenEmpty: [],
  startLines: [],
}
const alarm = (broker: number | null, partitions: number): Alarm => ({
  code: broker === null ? 'noQuorum' : 'emptyLogMayLead',
  text: 'text',
  broker,
  partitions: Array.from({ length: partitions }, (_, partition) => ({ topic: 'orders', partition })),
})

describe('the overview', () => {
  it('counts what is wrong', () => {
    const overview = overviewOf(INPUT)
    expect(overview).toMatchObject({
      brokers: { up: [1], down: [8], fenced: [9] },
      offline: 1_200,
      partitions: 9_412,
      offlineTopics: 2,
      internal: [{ topic: '__consumer_offsets', offline: 11 }],
      notReadable: [
        { broker: 8, why: 'away' },
        { broker: 9, why: 'away' },
      ],
      advice: { kind: 'start' },
    })
    expect(alarmsSentence(overview)).toBe('Alarms: none found; not readable: 8 9.')
    expect(startNothingSentence(overview)).toBeNull()
  })

  it('never says that there is no alarm while something is still to be read', () => {
    expect(alarmsSentence(overviewOf({ ...INPUT, toBeRead: 1_200, notReadable: new Map() }))).toBe(
      'Alarms: none found, 1,200 partitions being read.',
    )
  })

  it('tells a broker that is away from one that lost a directory, or did not tell all', () => {
    const notReadable = new Map([
      [8, 'away'],
      [4, 'other'],
      [1, 'logDir'],
      [9, 'away'],
    ] as const)
    expect(alarmsSentence(overviewOf({ ...INPUT, notReadable }))).toBe(
      'Alarms: none found; not readable: 8 9, a disk of 1; late or refused: 4.',
    )
  })

  it('tells of brokers seen empty only while starts may be advised at all', () => {
    const seenEmpty = [{ broker: 9, text: 'Do NOT start broker 9' }]
    expect(overviewOf({ ...INPUT, seenEmpty }).seenEmpty).toEqual(seenEmpty)
    expect(overviewOf({ ...INPUT, seenEmpty, alarms: [alarm(4, 15)] }).seenEmpty).toEqual([])
  })

  it('advises to start nothing while some broker may wipe others, but not because there is no quorum', () => {
    const wiping = overviewOf({ ...INPUT, alarms: [alarm(4, 15), alarm(2, 1)] })
    expect(wiping.advice).toEqual({ kind: 'startNothing', becauseOf: [2, 4] })
    expect(startNothingSentence(wiping)).toBe('Start nothing yet: brokers 2, 4 may become leader and wipe others.')
    expect(overviewOf({ ...INPUT, alarms: [alarm(null, 0)] }).advice.kind).toBe('start')
  })
})

describe('a line for each missing broker', () => {
  it('says what it may bring back, in which group, alone, after another, or with less', () => {
    const context = planningContext(
      new Map([
        [1, 'up'],
        [7, 'down'],
        [8, 'down'],
        [9, 'down'],
      ]),
    )
    const partition = (number: number, replicas: number[], elr: number[], last: number) => ({
      state: {
        topic: 'orders',
        topicId: null,
        partition: number,
        leader: null,
        leaderEpoch: 4,
        replicas,
        isr: [],
        elr,
        lastKnownElr: [last],
        offlineReplicas: replicas.filter((broker) => broker !== 1),
      },
      replicas: replicas.map((broker) =>
        broker === 1
          ? replicaLog(1, { logStartOffset: 0, logEndOffset: 50, epochs: [[2, 0]] })
          : notRead(broker, 'down'),
      ),
      readAt: new Date(0),
    })
    const evidences = [
      partition(0, [8, 1], [8], 8),
      partition(1, [8, 1], [8], 8),
      partition(2, [7, 8, 1], [8], 7),
      partition(3, [7, 1], [7], 7),
      partition(4, [9, 7, 1], [9, 7], 7),
    ]
    const counter = bringsBackCounter()
    evidences.forEach((evidence, index) => {
      counter.add(startFindings(evidence, context), index === 1 ? 'C' : 'B')
    })
    const lines = startLines(startAdvice(evidences, context), brokers, counter)
    expect(lines.map((line) => [line.order, line.broker, line.host, startLineText(line)])).toEqual([
      [1, 7, null, '2 of B, 1 more once 8 is up'],
      [2, 8, 'kafka-8.eu', '1 of B, 1 of C; before 7 it may lead 1 with less'],
      [3, 9, null, 'nothing by itself; before 7 it may lead 1 with less'],
    ])
    expect(lines.map(({ useful }) => useful)).toEqual([true, true, false])
    expect(lines.map(uselessStartText).at(-1)).toMatch(
      /^Broker 9 brings no partition back by its start, and may cut or wipe/,
    )
    // What nobody alive can lead makes its start useful, and it is told.
    const electable = startLines(startAdvice(evidences, context), brokers, counter, new Map([[9, 2]]))
    expect(electable.map(({ broker, useful }) => [broker, useful])).toEqual([
      [7, true],
      [8, true],
      [9, true],
    ])
    expect(electable.map(startLineText).at(-1)).toBe('2 can be elected once it is up; before 7 it may lead 1 with less')
  })
})
