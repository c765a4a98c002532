import { readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
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

describe('commands for repair', () => {
  const server = ['--bootstrap-server', '127.0.0.1:1']
  const stop = ['ssh', '{host}', 'sudo', 'systemctl', 'stop', 'kafka@{broker}']
  const checkDisk = ['ssh', '{host}', 'sudo dmesg | tail; df "{logDir}"']

  test('are saved as words, plain or as a list, shown word for word, and documented', async () => {
    const added = await recovery(
      ...['profiles', 'add', 'with-commands', ...server],
      ...['--repair-stop', stop.join('  '), '--repair-check-disk', JSON.stringify(checkDisk)],
    )
    expect(added.exit, added.stderr).toBe(0)
    const shown = documentOf(await recovery('profiles', 'show', 'with-commands', '--json'))
    expect(shown.profile.repair).toEqual({ commands: { checkDisk, stop } })
    const { stdout } = await recovery('profiles', 'show', 'with-commands')
    expect(stdout).toContain(`repair.commands.stop: ${JSON.stringify(stop)}`)
    expect(stdout).toContain(`repair.commands.checkDisk: ${JSON.stringify(checkDisk)}`)
    const { stdout: help } = await recovery('profiles', 'add', '--help')
    for (const says of [
      '--repair-stop',
      '--repair-start',
      '--repair-restart',
      '--repair-check-disk',
      '{logDir}',
      'JSON',
    ]) {
      expect(help).toContain(says)
    }
    expect((await recovery('profiles', 'remove', 'with-commands')).exit).toBe(0)
  })

  test.each([
    ['a shell would be needed', 'ssh {host} stop && echo', /--repair-stop: no shell runs it, so & would/],
    ['quotes', "ssh {host} 'stop it'", /--repair-stop: no shell runs it, so ' would .*JSON list/],
    ['nothing', '  ', /--repair-stop: a command is expected/],
    ['no list', '["ssh",', /--repair-stop: not a JSON list/],
    ['not all words', '["ssh",1]', /--repair-stop: a list of one or more words/],
    ['an empty list', '[]', /--repair-stop: a list of one or more words/],
    ['an unknown place', 'ssh {hots}', /\{hots\} is not known/],
  ])('%s: exit 2, one line, nothing saved', async (_, command, says) => {
    const ran = await recovery('profiles', 'add', 'bad', ...server, '--repair-stop', command)
    expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringMatching(says) })
    expect(ran.stderr.split('\n')).toHaveLength(1)
    expect((await recovery('profiles', 'show', 'bad')).exit).toBe(2)
  })

  test.each([
    ['ssh {host} stop --password=geheim'],
    ['ssh {host} stop --password geheim'],
    ['ssh {host} stop -token geheim'],
    ['curl https://admin:geheim@{host}/stop'],
    ['env DB_PASSWORD=geheim stop'],
    ['["curl","-H","Token: geheim"]'],
  ])('a secret among them is refused, and not repeated: %s', async (command) => {
    const ran = await recovery('profiles', 'add', 'bad', ...server, '--repair-stop', command)
    expect(ran).toMatchObject({ exit: 2, stderr: expect.stringMatching(/looks like a secret/) })
    expect(ran.stderr).not.toContain('geheim')
  })

  test('what only may be one is saved, and not shown', async () => {
    const key = 'Zm9vYmFyYmF6MTIzNDU2Nzg5MEFC'
    await recovery('profiles', 'add', 'masked', ...server, '--repair-stop', `stopper {host} ${key}`)
    for (const args of [
      ['show', 'masked'],
      ['show', 'masked', '--json'],
      ['list', '--json'],
    ]) {
      const { stdout } = await recovery('profiles', ...args)
      expect(stdout).toContain('[hidden]')
      expect(stdout).not.toContain(key)
    }
    await recovery('profiles', 'remove', 'masked')
  })
})
