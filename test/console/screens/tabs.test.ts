import { describe, expect, it } from 'vitest'
import type { Broker, ClusterSnapshot, LogDir } from '../../../src/cluster/snapshot.js'
import { headerLines } from '../../../src/console/components/header.js'
import { lookFor } from '../../../src/console/components/look.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { plainText } from '../../../src/console/layout/line.js'
import { TABS } from '../../../src/console/screens/tabs.js'

// The numbers behind the views' names say the same as the views themselves.

const broker = (id: number, state: Broker['state']): Broker => ({
  id,
  host: 'kafka',
  port: 9092,
  rack: null,
  state,
  error: null,
})
const dir = (id: number, path: string, state: LogDir['state']): LogDir => ({
  broker: id,
  path,
  state,
  cordoned: false,
  error: null,
  totalBytes: null,
  usableBytes: null,
  replicaCount: null,
  replicas: null,
})
const failedBefore = (id: number) => ({
  broker: id,
  path: '/data/b',
  seenAt: new Date(0),
  replicas: 4,
  lost: { since: new Date(0), replicas: 4 },
})

function label(screen: string, snapshot: Partial<ClusterSnapshot>, noted: unknown = null): string {
  const watched = { snapshot: { brokers: [], logDirs: [], partitions: [], ...snapshot } }
  return TABS.find((tab) => tab.screen === screen)!.label({ watched, noted } as unknown as ConsoleData)
}

describe('the tabs', () => {
  it('counts brokers that are down and those that are fenced apart', () => {
    const brokers = (...states: Broker['state'][]) =>
      label('brokers', { brokers: states.map((state, index) => broker(index + 1, state)) })
    expect(brokers('up', 'up')).toBe('Brokers 0 down')
    expect(brokers('up', 'down', 'down', 'fenced')).toBe('Brokers 2 down, 1 fenced')
    expect(brokers('up', 'fenced')).toBe('Brokers 1 fenced')
  })

  it('a directory that had failed before its broker was stopped still counts', () => {
    const brokers = [broker(1, 'up'), broker(2, 'down')]
    const logDirs = [dir(1, '/data/a', 'online')]
    expect(label('log-dirs', { brokers, logDirs })).toBe('Log dirs 0')
    expect(label('log-dirs', { brokers, logDirs }, [failedBefore(2)])).toBe('Log dirs 1')
    expect(label('log-dirs', { brokers, logDirs: [dir(1, '/data/a', 'offline')] }, [failedBefore(2)])).toBe(
      'Log dirs 2',
    )
  })

  it('says that not all told theirs', () => {
    const brokers = [broker(1, 'up')]
    expect(label('log-dirs', { brokers, logDirs: [dir(1, '/data/a', 'unknown')] })).toBe('Log dirs 0 + ?')
    expect(label('log-dirs', { brokers, logDirs: null })).toBe('Log dirs')
  })

  it('where there is little room what stands behind a comma goes before all numbers', () => {
    const look = lookFor({ colours: false, attributes: false, unicode: true, addressable: true, screenReader: false })
    const labels = ['Partitions 1,200', 'Log dirs 1', 'Brokers 2 down, 1 fenced', 'Plan 0', 'Activity']
    const line = (width: number) =>
      headerLines(
        {
          cluster: 'c',
          clusterId: null,
          simulated: false,
          readOnly: false,
          about: '',
          read: null,
          silent: [],
          alarms: [],
          running: null,
          tabs: labels.map((text, index) => ({ digit: index + 1, label: text, active: index === 0 })),
        },
        width,
        look.glyphs,
        false,
      )
        .map(plainText)
        .at(1)
    expect(line(100)).toContain('[3]Brokers 2 down, 1 fenced ')
    expect(line(80)).toContain('[1]Partitions 1,200 ')
    expect(line(80)).toContain('[3]Brokers 2 down ')
    expect(line(60)).toContain('[3]Brokers ')
  })
})
