import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ensureFolder, stateFolders } from '../../src/config/state-folder.js'
import { temporaryFolder } from './command-configs.js'

afterEach(() => vi.unstubAllEnvs())

describe('state folder', () => {
  test('KAFKA_RECOVERY_HOME holds everything', () => {
    expect(stateFolders({ KAFKA_RECOVERY_HOME: '/srv/kr/' })).toEqual({
      journal: '/srv/kr/journal',
      reports: '/srv/kr/reports',
      profiles: '/srv/kr',
    })
    expect(() => stateFolders({ KAFKA_RECOVERY_HOME: 'here' })).toThrow(
      'KAFKA_RECOVERY_HOME: here: has to be an absolute',
    )
  })

  test.runIf(process.platform === 'linux')(
    'else the XDG folders: state for journal and reports, config for profiles',
    () => {
      vi.stubEnv('XDG_STATE_HOME', '/xdg/state')
      vi.stubEnv('XDG_CONFIG_HOME', '/xdg/config')
      expect(stateFolders({ KAFKA_RECOVERY_HOME: '' })).toEqual({
        journal: '/xdg/state/kafka-recovery/journal',
        reports: '/xdg/state/kafka-recovery/reports',
        profiles: '/xdg/config/kafka-recovery',
      })
      vi.stubEnv('XDG_STATE_HOME', 'relative')
      vi.stubEnv('XDG_CONFIG_HOME', '')
      expect(stateFolders({})).toEqual({
        journal: join(homedir(), '.local/state/kafka-recovery/journal'),
        reports: join(homedir(), '.local/state/kafka-recovery/reports'),
        profiles: join(homedir(), '.config/kafka-recovery'),
      })
    },
  )

  test('a folder is made for the owner alone; one that is there keeps its mode', () => {
    const folder = temporaryFolder()
    ensureFolder(join(folder, 'a', 'b'))
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'a')).mode & 0o077).toBe(0)
    mkdirSync(join(folder, 'open'), { mode: 0o755 })
    const before = statSync(join(folder, 'open')).mode
    ensureFolder(join(folder, 'open'))
    expect(statSync(join(folder, 'open')).mode).toBe(before)
  })

  test('a file in its place is named', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'x'), '')
    expect(() => ensureFolder(join(folder, 'x'))).toThrow(/x: is a file, a folder is needed/)
    expect(() => ensureFolder(join(folder, 'x', 'y'))).toThrow(/y: cannot be made: does not exist \(a part of its path/)
  })
})
