import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentOf, ownFolder, recovery, simulators } from './harness.js'

const folder = ownFolder()
const simulated = simulators()

test('a profile is saved, shown, used by name, and forgotten', async () => {
  const { simulator } = await simulated('longer-log-older-epoch')
  const server = simulator.bootstrapServers
  const added = await recovery(
    'profiles',
    'add',
    'night',
    '--bootstrap-server',
    server,
    '--label',
    'prod-eu',
    '--read-only',
    '--json',
  )
  expect(added.exit).toBe(0)
  expect((await stat(folder.path('home/profiles.json'))).mode & 0o777).toBe(0o600)
  expect(documentOf(await recovery('profiles', 'show', 'night', '--json'))).toMatchObject({
    profile: { name: 'night', bootstrapServers: server, label: 'prod-eu', readOnly: true },
  })
  const status = await recovery('status', '--profile', 'night', '--json')
  expect(documentOf(status)).toMatchObject({ cluster: { name: 'prod-eu' } })
  const text = await recovery('status', '--profile', 'night')
  expect(text.stdout).toMatch(/^prod-eu .*SIMULATED.*READ-ONLY/)

  expect((await recovery('profiles', 'add', 'night', '--bootstrap-server', server)).exit).toBe(2)
  expect((await recovery('profiles', 'remove', 'night')).exit).toBe(0)
  expect((await recovery('profiles', 'remove', 'night')).exit).toBe(2)
  expect(documentOf(await recovery('profiles', 'list', '--json'))).toEqual({ profiles: [] })
  expect(await readFile(folder.path('home/profiles.json'), 'utf8')).not.toContain('night')
})

test('what cannot be used is refused when it is saved, not at night', async () => {
  for (const args of [[], ['--bootstrap-server', 'x'], ['--bootstrap-server', 'x:1', '--color', 'pink']]) {
    expect(await recovery('profiles', 'add', 'p', ...args)).toMatchObject({ exit: 2, stdout: '' })
  }
  expect((await recovery('profiles', 'add', '../p', '--bootstrap-server', 'x:1')).exit).toBe(2)
})
