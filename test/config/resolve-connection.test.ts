import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Profiles } from '../../src/config/profiles.js'
import { type ConnectionOptions, resolveConnection } from '../../src/config/resolve-connection.js'
import { problemsOf, temporaryFolder } from './command-configs.js'

/** A folder with a properties file, and a profile `p` that names it. */
async function prepared(lines: readonly string[]) {
  const workingDirectory = temporaryFolder()
  writeFileSync(join(workingDirectory, 'c.properties'), lines.join('\n'))
  writeFileSync(join(workingDirectory, 'other.properties'), 'client.id=other')
  const profile = {
    name: 'p',
    bootstrapServers: 'profile:1',
    commandConfig: join(workingDirectory, 'c.properties'),
    readOnly: true,
    brokerEndpoints: { '1': 'profile:11', '2': 'profile:12' },
  }
  await new Profiles(workingDirectory).add(profile)
  const resolve = (options: Partial<ConnectionOptions>) =>
    resolveConnection(
      { brokerEndpoints: [], readOnly: false, ...options },
      { env: {}, workingDirectory, profilesFolder: workingDirectory },
    )
  return { resolve, profile }
}

describe('resolveConnection', () => {
  test('an option comes before the properties file, that before the profile', async () => {
    const { resolve, profile } = await prepared(['bootstrap.servers=file:1', 'client.id=c', 'request.timeout.ms=1'])
    const byOption = await resolve({
      profile: 'p',
      bootstrapServer: 'option:1',
      requestTimeoutMs: 7,
      brokerEndpoints: ['1=option:11'],
    })
    expect(byOption.settings).toEqual({
      bootstrapServers: [{ host: 'option', port: 1 }],
      clientId: 'c',
      requestTimeoutMs: 7,
      security: { protocol: 'PLAINTEXT' },
      brokerEndpoints: new Map([
        [1, { host: 'option', port: 11 }],
        [2, { host: 'profile', port: 12 }],
      ]),
      readOnly: true,
      replicaLogInfoApiKey: null,
    })
    expect(byOption.profile).toEqual(profile)
    expect((await resolve({ profile: 'p' })).settings).toMatchObject({
      bootstrapServers: [{ host: 'file', port: 1 }],
      requestTimeoutMs: 1,
    })
    const otherFile = await resolve({ profile: 'p', commandConfigFile: 'other.properties' })
    expect(otherFile.settings).toMatchObject({ bootstrapServers: [{ host: 'profile', port: 1 }], clientId: 'other' })
  })

  test("GetReplicaLogInfo's api key may be set; what is no api key is refused by name", async () => {
    const set = await prepared(['bootstrap.servers=file:1', 'unstable.getReplicaLogInfoApiKey=97'])
    const resolved = await set.resolve({ profile: 'p' })
    expect([resolved.settings.replicaLogInfoApiKey, resolved.ignored]).toEqual([97, []])
    for (const wrong of ['x', '-1', '32768', '']) {
      const { resolve } = await prepared(['bootstrap.servers=file:1', `unstable.getReplicaLogInfoApiKey=${wrong}`])
      await expect(resolve({ profile: 'p' })).rejects.toThrow(/unstable\.getReplicaLogInfoApiKey: .*whole number/)
    }
  })

  test('without file and profile: plain text, defaults of our own', async () => {
    const { resolve } = await prepared([])
    expect(await resolve({ bootstrapServer: '[::1]:9092' })).toEqual({
      settings: {
        bootstrapServers: [{ host: '::1', port: 9092 }],
        clientId: 'kafka-recovery',
        requestTimeoutMs: 10_000,
        security: { protocol: 'PLAINTEXT' },
        brokerEndpoints: new Map(),
        readOnly: false,
        replicaLogInfoApiKey: null,
      },
      warnings: [],
      ignored: [],
    })
  })

  test('everything that is wrong is said at once', async () => {
    const { resolve } = await prepared([
      'request.timeout.ms=abc',
      'sasl.login.class=x',
      'security.protocol=SSL',
      'ssl.truststore.location=nowhere',
    ])
    const problems = await problemsOf(
      resolve({ profile: 'p', bootstrapServer: 'h', brokerEndpoints: ['x'], requestTimeoutMs: 0 }),
    )
    const told = [
      'request.timeout.ms: abc',
      'sasl.login.class: x',
      'nowhere does not exist',
      '--bootstrap-server: h',
      '--broker-endpoint: x',
      '--request-timeout-ms',
    ]
    expect(problems).toHaveLength(told.length)
    for (const part of told) expect(problems).toContainEqual(expect.stringContaining(part))
    for (const problem of problems) expect(problem).not.toContain('\n')
  })

  test('no servers, an unknown profile, a missing file: said, with what to do', async () => {
    const { resolve } = await prepared([])
    expect(await problemsOf(resolve({}))).toEqual([
      expect.stringMatching(/^no servers to connect to: give --bootstrap-server/),
    ])
    expect(await problemsOf(resolve({ profile: 'q' }))).toEqual(['--profile: there is no profile q; saved: p'])
    expect(await problemsOf(resolve({ bootstrapServer: 'h:1', commandConfigFile: 'none' }))).toEqual([
      'none does not exist (--command-config)',
    ])
  })
})
