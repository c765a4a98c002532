import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { STORES } from '../config/command-configs.js'
import { startProgram } from '../terminal/harness/screen-program.js'
import { plainLogin, planted, SECRETS } from './planted.js'

// Secrets are planted wherever a real user has them, every command is run with them, on good ways and on bad ones, and then everything that
// was written is searched for them in every form: output, journal, reports, plans, state, profiles, traces, command lines, titles.

const PROVIDER = 'org.apache.kafka.common.config.provider'
const PROVIDERS = (folder: string) => [
  'config.providers=env,dir,file',
  `config.providers.env.class=${PROVIDER}.EnvVarConfigProvider`,
  `config.providers.dir.class=${PROVIDER}.DirectoryConfigProvider`,
  `config.providers.file.class=${PROVIDER}.FileConfigProvider`,
  `config.providers.dir.param.allowed.paths=${folder}`,
  `config.providers.file.param.allowed.paths=${folder}`,
]

const store = (name: string) => join(STORES, name)
const tls = (...more: readonly string[]) => [
  'security.protocol=SSL',
  'ssl.endpoint.identification.algorithm=',
  'ssl.truststore.type=PEM',
  `ssl.truststore.location=${store('ca.pem')}`,
  ...more,
]
const keystore = (password: string, keyPassword = 'key-secret') => [
  `ssl.keystore.location=${store('client.jks')}`,
  'ssl.keystore.type=JKS',
  `ssl.keystore.password=${password}`,
  `ssl.key.password=${keyPassword}`,
]
const oauth = (endpoint: string, secret: string) => [
  'security.protocol=SASL_PLAINTEXT',
  'sasl.mechanism=OAUTHBEARER',
  `sasl.oauthbearer.token.endpoint.url=${endpoint}`,
  'sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
  `sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId="client" clientSecret="${secret}";`,
]

type Cluster = Awaited<ReturnType<typeof planted>>

/** Every command, all of them verbose, through a login. */
async function everyCommand(cluster: Cluster, connection: readonly string[]): Promise<void> {
  const plan = cluster.path('work/plan.json')
  const recovery = (...args: readonly string[]) => cluster.run('kafka-recovery', [...args, '--verbose', ...connection])
  for (const [exit, ...args] of [
    [0, 'check'],
    [0, 'status'],
    [0, 'status', '--json'],
    [0, 'replicas', 'orders-0'],
    [0, 'plan', 'orders-0', '--output', plan],
    [0, 'plan', 'orders-1', '--json', '--dry-run'],
    [0, 'log-dirs'],
    [0, 'repair', '--broker', '2'],
    [0, 'repair', '--broker', '2', '--log-dir', '/e', '--json'],
    [0, 'elect', '--plan', plan, '--dry-run'],
    [4, 'elect', '--plan', plan],
    [0, 'elect', '--plan', plan, '--yes'],
    [0, 'elect', '--plan', plan, '--yes', '--json'],
    [0, 'restore'],
    [2, 'status', '--no-such-option'],
  ] as const) {
    const ran = await recovery(...args)
    expect(ran.exit, `${args.join(' ')}: ${ran.stderr}`).toBe(exit)
  }
  const tool = [
    '--path-to-json-file',
    cluster.path('work/one.json'),
    '--automated-recovery',
    '--verbose',
    ...connection,
  ]
  writeFileSync(cluster.path('work/one.json'), '{"partitions":[{"topic":"orders","partitions":[1]}]}', { mode: 0o600 })
  expect((await cluster.run('kafka-unclean-recovery', tool)).exit).toBe(0)
}

/** What fails in the middle, in every way, and a run that is killed, so that a journal stays. */
async function everyFailure(cluster: Cluster, connection: readonly string[]): Promise<void> {
  const recovery = (...args: readonly string[]) =>
    cluster.run('kafka-recovery', [...args, '--request-timeout-ms', '800', '--verbose', ...connection])
  for (const fault of [
    { closeConnection: true },
    { error: -1 },
    { malformed: 'garbage' },
    { malformed: 'truncated' },
    { silent: true },
  ] as const) {
    cluster.simulator.addFault({ api: 'DescribeLogDirs', ...fault })
    cluster.simulator.addFault({ api: 'ListOffsets', ...fault })
    await recovery('status')
    await recovery('plan', 'orders-2', '--json')
    cluster.simulator.clearFaults()
  }
  cluster.simulator.addFault({ api: 'ElectLeaders', closeConnection: true })
  const before = cluster.requests.length
  // Broker 2 has most and stands last: the assignment is re-ordered, and stays so.
  await cluster.run('kafka-recovery', ['elect', '--leader', 'orders-2=2', '--yes', '--verbose', ...connection], {
    killWhen: () => cluster.requests.slice(before).includes('ElectLeaders'),
  })
  cluster.simulator.clearFaults()
  expect((await cluster.run('kafka-recovery', ['status', '--verbose', ...connection])).stderr).toContain(
    'unfinished journal',
  )
}

describe('a login that works, and every command', () => {
  test('PLAIN, the password from the properties', async () => {
    const cluster = await planted({ mechanism: 'PLAIN', accepts: (login) => login.endsWith(`\0${SECRETS.plain}`) })
    const connection = await cluster.connection('plain', plainLogin(SECRETS.plain))
    await everyCommand(cluster, connection)
    await everyFailure(cluster, connection)
    expect(cluster.fronts.every(({ logins }) => logins.length > 0)).toBe(true)
    expect(cluster.leaks()).toEqual([])
  })

  test('PLAIN, the password from the environment, a directory, a file', async () => {
    const { environment, directory, file } = SECRETS
    const accepted = [environment, directory, file].map((secret) => `\0${secret}`)
    const cluster = await planted({
      mechanism: 'PLAIN',
      accepts: (login) => accepted.some((end) => login.endsWith(end)),
    })
    const folder = cluster.path('conf')
    for (const from of [`\${env:CANARY}`, `\${dir:${folder}/dir:pw}`, `\${file:${folder}/secrets.properties:pw}`]) {
      const lines = [...PROVIDERS(folder), ...plainLogin(from)]
      const connection = await cluster.connection('provided', lines)
      for (const args of [['status'], ['check'], ['plan', 'orders-0'], ['log-dirs']]) {
        const ran = await cluster.run('kafka-recovery', [...args, '--verbose', ...connection])
        expect(ran.exit, ran.stderr).toBe(0)
      }
    }
    expect(cluster.leaks()).toEqual([])
  })

  test('OAUTHBEARER: client secret, and the token', async () => {
    const cluster = await planted({ mechanism: 'OAUTHBEARER', accepts: (login) => login.includes(SECRETS.token) })
    await everyCommand(cluster, await cluster.connection('oauth', oauth(cluster.tokenEndpoint, SECRETS.clientSecret)))
    expect(cluster.fronts.every(({ logins }) => logins.some((login) => login.includes(SECRETS.token)))).toBe(true)
    expect(cluster.leaks()).toEqual([])
  })

  test('TLS with a client certificate: key store, its passwords, the key itself', async () => {
    const cluster = await planted({ mechanism: null, accepts: () => true, tls: true })
    await everyCommand(cluster, await cluster.connection('tls', tls(...keystore('store-secret'))))
    expect(cluster.leaks()).toEqual([])
  })
})

describe('what fails: the login, the properties', () => {
  const RIGHT = { mechanism: 'PLAIN', accepts: () => false } as const

  test('refused logins: exit 3', async () => {
    const cluster = await planted(RIGHT)
    const withUrl = cluster.tokenEndpoint.replace('://', `://user:${SECRETS.url}@`)
    for (const lines of [
      plainLogin(SECRETS.wrong),
      plainLogin(SECRETS.plain),
      oauth(cluster.tokenEndpoint, SECRETS.wrong),
      oauth(cluster.tokenEndpoint, SECRETS.clientSecret),
      oauth(`${cluster.tokenEndpoint}/${SECRETS.url}`, SECRETS.wrong).filter((line) => !line.includes(SECRETS.url)),
      oauth(withUrl, SECRETS.clientSecret),
      tls(),
    ]) {
      const connection = await cluster.connection('refused', lines)
      for (const args of [
        ['status', '--verbose'],
        ['check', '--json'],
        ['elect', '--leader', 'orders-0=2', '--yes', '--verbose'],
        ['restore', '--yes'],
        ['repair', '--broker', '2', '--log-dir', '/d'],
      ]) {
        const ran = await cluster.run('kafka-recovery', [...args, '--request-timeout-ms', '3000', ...connection])
        expect([2, 3], ran.stderr).toContain(ran.exit)
      }
    }
    expect(cluster.leaks()).toEqual([])
  })

  test('properties that cannot be used: exit 2, and no value of theirs', async () => {
    const cluster = await planted(RIGHT)
    const folder = cluster.path('conf')
    const { plain, wrong, store: storePassword, key, url, other } = SECRETS
    for (const lines of [
      plainLogin(plain).map((line) => line.replace(/";$/, '" more')),
      plainLogin(plain).map((line) => line.replace('required', 'sometimes')),
      [...plainLogin(plain), `sasl.mechanism=GSSAPI`],
      [...plainLogin(plain), 'security.protocol=SASL_WRONG'],
      [...plainLogin(plain), 'sasl.login.callback.handler.class=com.example.Handler'],
      [...plainLogin(`\${env:CANARY}`)],
      [...PROVIDERS(folder), ...plainLogin(`\${env:NO_SUCH_VARIABLE}`)],
      [...PROVIDERS(folder), ...plainLogin(`\${file:${folder}/secrets.properties:missing}`)],
      [...PROVIDERS(folder), ...plainLogin(`\${dir:${folder}/nowhere:pw}${wrong}`)],
      [...PROVIDERS(folder), `request.timeout.ms=\${env:CANARY}`],
      [...PROVIDERS(folder), `bootstrap.servers=\${dir:${folder}/dir:pw}`],
      [...PROVIDERS(folder), `security.protocol=\${env:CANARY}`],
      tls(...keystore(storePassword)),
      tls(...keystore('store-secret', key)),
      tls(`ssl.truststore.password=${storePassword}`, `ssl.keystore.password=${storePassword}`),
      tls('ssl.keystore.type=PEM', `ssl.keystore.key=${key}`, `ssl.keystore.certificate.chain=${other}`),
      tls('ssl.keystore.type=PEM', `ssl.keystore.location=${store('client-bundle.pem')}`, `ssl.key.password=${key}`),
      oauth(`ht!tp://user:${url}@x`, wrong),
      oauth(`file:///${url}`, wrong),
    ]) {
      const connection = await cluster.connection('unusable', lines)
      for (const args of [
        ['status', '--verbose'],
        ['status', '--json'],
        ['restore', '--yes'],
      ]) {
        const ran = await cluster.run('kafka-recovery', [...args, '--request-timeout-ms', '2000', ...connection])
        expect([2, 3], `${lines.at(-1)}: ${ran.stdout}`).toContain(ran.exit)
      }
    }
    expect(cluster.leaks()).toEqual([])
  })

  test('profiles: a secret in one is refused, saved by nobody, and shown by nobody who wrote it there by hand', async () => {
    const cluster = await planted(RIGHT)
    const { profile } = SECRETS
    const connection = await cluster.connection('right', plainLogin(SECRETS.plain))
    const profiles = (...args: readonly string[]) => cluster.run('kafka-recovery', ['profiles', ...args])
    for (const stop of [`x --password=${profile}`, `x --token ${profile}`, `x https://u:${profile}@h`]) {
      // Whoever types it has it in that command's own line: the words are looked at as the program keeps them.
      const typed = await import('../../src/config/repair-command.js')
      expect(typed.holdsSecret(stop.split(' '))).toBe(true)
      expect(typed.maskedCommand(stop.split(' ')).join(' ')).not.toContain(profile)
    }
    expect((await profiles('add', 'right', ...connection)).exit).toBe(0)
    for (const args of [['list'], ['list', '--json'], ['show', 'right'], ['show', 'right', '--json']]) {
      expect((await profiles(...args)).exit).toBe(0)
    }
    expect((await cluster.run('kafka-recovery', ['status', '--profile', 'right'])).exit).toBe(3)
    expect(cluster.leaks()).toEqual([])

    // By hand, in a folder of its own: what lies there is the user's doing, what is said about it is ours.
    const home = cluster.path('conf/home')
    mkdirSync(home)
    for (const bad of [
      { password: profile },
      { bootstrapServers: `h:1,${profile}`, saslJaasConfig: profile },
      { repair: { commands: { stop: ['x', `--password=${profile}`] } } },
      { repair: { commands: { stop: ['x', '--token', profile] } } },
      { label: 7, token: profile },
    ]) {
      writeFileSync(join(home, 'profiles.json'), JSON.stringify({ profiles: { bad } }))
      for (const args of [
        ['profiles', 'list'],
        ['profiles', 'show', 'bad', '--json'],
        ['status', '--profile', 'bad'],
      ]) {
        const ran = await cluster.run('kafka-recovery', args, { env: { KAFKA_RECOVERY_HOME: home } })
        expect(ran.exit, ran.stdout).toBe(2)
      }
    }
    expect(cluster.leaks()).toEqual([])
  })
})

/** Loaded before the program: something that nobody foresaw happens in the middle of its work. */
const INJECTED = {
  'an exception': "setTimeout(() => { throw new Error('injected') }, 500)",
  'a rejection that nobody handles': "setTimeout(() => { Promise.reject(new Error('injected')) }, 500)",
  'an exception while the login is written':
    "import net from 'node:net'; const write = net.Socket.prototype.write; net.Socket.prototype.write = function (data, ...rest) { " +
    "if (String(data).includes('c4nary') || String(data).includes('PLAIN')) throw Object.assign(new Error('injected'), { code: 'EINJECTED' }); " +
    'return write.call(this, data, ...rest) }',
}

describe('a crash', () => {
  test.each(Object.entries(INJECTED))('%s: what it leaves holds none', async (_, script) => {
    const cluster = await planted({ mechanism: 'PLAIN', accepts: () => true })
    const connection = await cluster.connection('crash', plainLogin(SECRETS.plain))
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
    for (const args of [
      ['status', '--watch', '--verbose'],
      ['elect', '--leader', 'orders-0=2', '--yes'],
    ]) {
      cluster.simulator.addFault({ api: 'Metadata', delayMs: 300 })
      const ran = await cluster.run('kafka-recovery', [...args, '--request-timeout-ms', '3000', ...connection], { env })
      expect(ran.exit, ran.stderr).not.toBe(0)
    }
    expect(cluster.leaks()).toEqual([])
  })
})

describe('the console in a terminal', () => {
  test.each([
    ['a login that is refused', SECRETS.wrong, 3],
    ['a login that works, with every view looked at', SECRETS.plain, 0],
  ])('%s', async (_, password, exit) => {
    const cluster = await planted({ mechanism: 'PLAIN', accepts: (login) => login.endsWith(`\0${SECRETS.plain}`) })
    const connection = await cluster.connection('console', plainLogin(password))
    const program = startProgram(
      process.execPath,
      [join(inject('packageRoot'), 'bin/kafka-recovery.js'), ...connection],
      {
        columns: 120,
        rows: 40,
        env: { ...cluster.env },
        cwd: cluster.path('work'),
      },
    )
    onTestFinished(() => program.dispose())
    if (exit === 0) {
      await program.waitFor('OFFLINE of')
      for (const key of ['2', '3', '4', '1', '?']) program.send(key)
      await program.waitFor('── help ')
      // Read together with the next key it would be another one.
      program.send('\u001b')
      await program.waitFor((lines) => !lines.join('\n').includes('── help '))
      program.send('q')
    }
    const ended = await program.exited
    expect(ended.code, program.text()).toBe(exit)
    cluster.keep('the screen', program.raw)
    expect(cluster.leaks()).toEqual([])
  })
})
