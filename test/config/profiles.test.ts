import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Profile, Profiles } from '../../src/config/profiles.js'
import { problemsOf, temporaryFolder } from './command-configs.js'

const PROD: Profile = {
  name: 'prod.eu-1',
  bootstrapServers: 'b1:9092,[::1]:9092',
  commandConfig: '/etc/kafka/client.properties',
  label: 'Production',
  colour: 'red',
  readOnly: true,
  brokerEndpoints: { '1': '127.0.0.1:19091' },
  repair: { commands: { restart: ['ssh', '{host}', 'systemctl', 'restart', 'kafka@{broker}'] } },
}

describe('profiles', () => {
  test('are saved for the owner alone, and are there again in the next run', async () => {
    const folder = join(temporaryFolder(), 'new')
    await new Profiles(folder).add(PROD)
    await new Profiles(folder).add({ name: 'a', bootstrapServers: 'h:1' })
    const profiles = new Profiles(folder)
    expect(await profiles.list()).toEqual([{ name: 'a', bootstrapServers: 'h:1' }, PROD])
    expect(await profiles.get('prod.eu-1')).toEqual(PROD)
    expect(statSync(profiles.file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    await profiles.remove('prod.eu-1')
    expect((await new Profiles(folder).list()).map(({ name }) => name)).toEqual(['a'])
  })

  test('listing none writes nothing', async () => {
    const folder = join(temporaryFolder(), 'new')
    expect(await new Profiles(folder).list()).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  test('an unknown name is refused, the saved ones are named', async () => {
    const profiles = new Profiles(temporaryFolder())
    expect(await problemsOf(profiles.get('x'))).toEqual(['--profile: there is no profile x; none is saved'])
    await profiles.add(PROD)
    expect(await problemsOf(profiles.remove('__proto__'))).toEqual([
      '--profile: there is no profile __proto__; saved: prod.eu-1',
    ])
  })

  test.each([
    ['a name that is taken', PROD, /the name is taken/],
    ['a bad name', { name: '../x' }, /a name is letters, digits/],
    ['bad servers', { name: 'x', bootstrapServers: 'h' }, /bootstrapServers: h: host:port is expected/],
    ['a bad endpoint', { name: 'x', brokerEndpoints: { '1': 'h' } }, /brokerEndpoints: broker 1: h: host:port/],
    [
      'an unknown placeholder',
      { name: 'x', repair: { commands: { stop: ['ssh', '{hots}'] } } },
      /repair\.commands\.stop: \{hots\} is not known/,
    ],
    [
      'a secret in a command',
      { name: 'x', repair: { commands: { stop: ['x', '--password=geheim'] } } },
      /stop: an argument looks like a secret/,
    ],
    [
      'a key that looks like a secret',
      { name: 'x', saslPassword: 'geheim' },
      /saslPassword looks like a secret; a profile never holds one/,
    ],
    ['an unknown key', { name: 'x', colur: 'red' }, /colur|additional/],
    ['a colour that is none', { name: 'x', colour: 'mauve' }, /colour.*must be equal to one of/],
    ['a command that is a text', { name: 'x', repair: { commands: { stop: 'geheim; rm' } } }, /stop.*must be array/],
    ['a command of numbers', { name: 'x', repair: { commands: { stop: [1] } } }, /stop.*must be string/],
  ])('%s is refused, and nothing is written', async (_name, profile, problem) => {
    const profiles = new Profiles(temporaryFolder())
    await profiles.add(PROD)
    const before = readFileSync(profiles.file, 'utf8')
    const problems = await problemsOf(profiles.add(profile as unknown as Profile))
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(problems.join()).not.toContain('geheim')
    expect(readFileSync(profiles.file, 'utf8')).toBe(before)
  })

  test.each([
    ['no JSON', '{"profiles":', /profiles\.json: damaged \(not JSON\)/],
    ['empty', '', /profiles\.json: damaged \(not JSON\)/],
    ['of another shape', '{"profiles":[]}', /profiles\.json: .*profiles.*must be object/],
    ['not an object', '[]', /profiles\.json: /],
    ['with a secret', '{"profiles":{"a":{"password":"geheim"}}}', /profiles\.json: password looks like a secret/],
    ['with bad servers', '{"profiles":{"a":{"bootstrapServers":"h"}}}', /profile a: bootstrapServers: h: host:port/],
  ])('a file that is %s: said, not mended, not thrown away', async (_name, content, problem) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'profiles.json'), content)
    for (const act of [new Profiles(folder).list(), new Profiles(folder).add(PROD), new Profiles(folder).remove('a')]) {
      const problems = await problemsOf(act)
      expect(problems).toEqual([expect.stringMatching(problem)])
      expect(problems.join()).not.toContain('geheim')
    }
    expect(readFileSync(join(folder, 'profiles.json'), 'utf8')).toBe(content)
  })
})
