import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { brokerAlarmLine, brokerAlarms, unreadLeaders } from '../../../src/recovery/returns/broker-alarms.js'
import { costOfStopping } from '../../../src/recovery/returns/stopping-cost.js'
import { notRead, scenarioCase, scenarioNames } from '../scenario-evidence.js'

const STATE_Z = 'last-known-leader-alive-but-emptied'
const { evidences, context } = scenarioCase(STATE_Z)

describe('alarms of a broker', () => {
  it('stand together: the partitions that it would wipe, and no other', () => {
    expect(brokerAlarms(evidences, context)).toEqual([
      {
        broker: 1,
        // ledger-2 is led last by it as well, but there it has the best log.
        partitions: [
          { topic: 'ledger', partition: 0 },
          { topic: 'ledger', partition: 1 },
        ],
        empty: true,
        ledLast: true,
        wipes: [2, 3],
      },
    ])
  })

  it('are in no other case', () => {
    for (const name of scenarioNames().filter((other) => other !== STATE_Z)) {
      const other = scenarioCase(name)
      expect(brokerAlarms(other.evidences, other.context), name).toEqual([])
    }
  })

  it('read as one line: what is up, what may happen, what to do now, what it costs', () => {
    const [alarm] = brokerAlarms(evidences, context)
    const cost = { offline: 9, underMinIsr: 31, minIsrUnknown: false }
    expect(brokerAlarmLine(alarm!, { host: 'kafka-1.eu', timerSeconds: 300, cost })).toBe(
      "Broker 1 (kafka-1.eu) is up with an EMPTY log of 2 partitions that it led last. Any moment it may become leader and wipe 2, 3 (controller's timer: every 300 s). NOW stop 1 and whatever restarts it (systemd, Kubernetes). Start no broker. Cost: 9 more offline, 31 under min ISR, until it returns.",
    )
    expect(brokerAlarmLine(alarm!, { host: null, timerSeconds: null, cost: null })).toBe(
      'Broker 1 is up with an EMPTY log of 2 partitions that it led last. Any moment it may become leader and wipe 2, 3. NOW stop 1 and whatever restarts it (systemd, Kubernetes). Start no broker.',
    )
  })

  it('are unknown, not absent, where the broker that would lead was not read', () => {
    const unread = evidences.map(
      (evidence): PartitionEvidence => ({
        ...evidence,
        replicas: evidence.replicas.map((replica) => (replica.broker === 1 ? notRead(1, 'late') : replica)),
      }),
    )
    expect(brokerAlarms(unread, context)).toEqual([])
    expect([...unreadLeaders(unread, context).keys()]).toEqual([1])
    expect(unreadLeaders(unread, context).get(1)).toHaveLength(3)
    expect(unreadLeaders(evidences, context).size).toBe(0)
  })
})

describe('the cost of stopping a broker', () => {
  const led = { ...evidences[0]!.state, leader: 2 }
  const config = { minInsyncReplicas: 2, uncleanLeaderElection: false, cleanupPolicy: 'delete', remoteStorage: false }
  const configs = new Map([['ledger', config]])

  it('counts what only it keeps alive, and what comes below its minimum', () => {
    const partitions = [
      { ...led, isr: [1] },
      { ...led, isr: [1, 2] },
      { ...led, isr: [1, 2, 3] },
      { ...led, isr: [2, 3] },
      evidences[1]!.state,
    ]
    expect(costOfStopping(1, partitions, configs)).toEqual({ offline: 1, underMinIsr: 1, minIsrUnknown: false })
  })

  it('says when a minimum is not known', () => {
    const partitions = [{ ...led, isr: [1, 2] }]
    expect(costOfStopping(1, partitions, new Map())).toEqual({ offline: 0, underMinIsr: 0, minIsrUnknown: true })
  })
})
