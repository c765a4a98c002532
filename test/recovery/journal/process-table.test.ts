import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startByPs, systemProcesses } from '../../../src/recovery/journal/process-table.js'

const self = systemProcesses.self()

test('we are running', () => {
  expect(self.pid).toBe(process.pid)
  expect(systemProcesses.stateOf(self)).toBe('running')
})

test('a process that has ended is gone', async () => {
  const child = spawn(process.execPath, ['-e', '0'])
  await once(child, 'exit')
  expect(systemProcesses.stateOf({ ...self, pid: child.pid!, startTicks: null })).toBe('gone')
})

test.runIf(process.platform === 'linux')(
  'a pid that is used again, or a restart of the machine, is not taken for the same process',
  () => {
    expect(self.startTicks).toMatch(/^\d+$/)
    expect(systemProcesses.stateOf({ ...self, startTicks: '1' })).toBe('gone')
    expect(systemProcesses.stateOf({ ...self, bootId: 'another boot' })).toBe('gone')
  },
)

test.runIf(process.platform === 'linux')('a pid of another container says nothing here, whatever has that pid', () => {
  expect(self.pidNamespace).toMatch(/^pid:/)
  expect(systemProcesses.stateOf({ ...self, pidNamespace: 'pid:[1]' })).toBe('elsewhere')
  // A journal of the first version does not tell it.
  expect(systemProcesses.stateOf({ ...self, pidNamespace: null })).toBe('running')
})

test.runIf(startByPs(process.pid) !== null)(
  'where there is no /proc, ps tells when a process was started',
  async () => {
    expect(startByPs(process.pid)).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/)
    expect(startByPs(process.pid)).toBe(startByPs(process.pid))
    const child = spawn(process.execPath, ['-e', '0'])
    await once(child, 'exit')
    expect(startByPs(child.pid!)).toBeNull()
  },
)

test('a process on another host cannot be asked', () => {
  expect(systemProcesses.stateOf({ ...self, host: 'elsewhere.example' })).toBe('elsewhere')
})
