import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectCluster } from '../../../src/cluster/connect.js'
import { sessionOptions } from '../../../src/cluster/session-options.js'
import { resolveConnection } from '../../../src/config/resolve-connection.js'
import { BrokerConnection } from '../../../src/protocol/transport/connection.js'
import { ownFolder, type Ran, recovery } from '../../cli/harness.js'
import { startProgram } from '../../terminal/harness/screen-program.js'
import { type AdminJob, askAsAdmin } from '../harness/kafka-admin.js'
import { until } from '../harness/until.js'
import { byPassword, byToken, pemIdentity, pemTrust, store, tls } from './client-settings.js'
import { FAILURES } from './failures.js'
import {
  ELSEWHERE,
  KEY_PASSWORD,
  OAUTH_CLIENT,
  PASSWORD,
  type SecuredCluster,
  SHORT_LOGIN_MS,
  startSecuredCluster,
} from './secured-cluster.js'
import { WAYS } from './ways.js'

// Proves: every login that is said to be supported opens a real broker with the same file that Kafka's own admin client takes.

const folder = ownFolder()
let cluster: SecuredCluster
beforeAll(async () => {
  cluster = await startSecuredCluster()
})
afterAll(async () => {
  await cluster?.dispose()
})

/** Connects with this file, reads the cluster, disconnects. */
async function snapshotWith(file: string, bootstrapServer: string) {
  const { settings } = await resolveConnection({
    bootstrapServer,
    commandConfigFile: file,
    brokerEndpoints: [],
    readOnly: true,
  })
  const connected = await connectCluster(sessionOptions(settings))
  try {
    return await connected.snapshot({ logDirs: true, elr: true, configs: true, quorum: true })
  } finally {
    await connected.close()
  }
}

it.each(WAYS)('$name', async ({ listener, settings, host = '127.0.0.1' }) => {
  const snapshot = await snapshotWith(cluster.clientFile(settings(cluster)), `${host}:${cluster.port(listener)}`)
  expect(snapshot.clusterId).toBe(cluster.kafka.clusterId)
  expect(snapshot.problems).toEqual([])
  expect(snapshot.brokers).toEqual([expect.objectContaining({ id: 1, state: 'up', port: cluster.port(listener) })])
})

it("Kafka's own admin client takes each of these files as well", async () => {
  const jobs = WAYS.map(
    ({ listener, settings, host = '127.0.0.1' }): AdminJob => ({
      kind: 'login',
      bootstrapServer: `${host}:${cluster.port(listener)}`,
      file: cluster.clientFile(settings(cluster)),
    }),
  )
  const answers = await askAsAdmin('4.4.0', cluster.kafka.bootstrapServers, jobs, cluster.systemProperties)
  expect(answers.map((answer, index) => [WAYS[index]?.name, answer])).toEqual(WAYS.map(({ name }) => [name, 'ok']))
})

it('through a tunnel the certificate has to be that of the advertised name or IP address', async () => {
  const { settings } = await resolveConnection({
    bootstrapServer: `127.0.0.1:${cluster.port('elsewhere')}`,
    commandConfigFile: cluster.clientFile(tls(pemTrust(cluster))),
    brokerEndpoints: [],
    readOnly: true,
  })
  const { transport } = sessionOptions(settings)
  const address = { host: '127.0.0.1', port: cluster.port('elsewhere') }
  for (const certificateName of [ELSEWHERE.name, ELSEWHERE.ip]) {
    const connection = await BrokerConnection.open({ ...address, certificateName }, transport, 10_000)
    expect(connection.isOpen).toBe(true)
    connection.close()
  }
  for (const certificateName of ['another.elsewhere.test', '10.9.8.6']) {
    const opening = BrokerConnection.open({ ...address, certificateName }, transport, 10_000)
    await expect(opening).rejects.toMatchObject({
      failure: 'tls',
      message: expect.stringContaining('another host name'),
    })
  }
})

/** Everything that is secret in any of the files. */
const SECRETS = [PASSWORD, 'wrong-secret', OAUTH_CLIENT.secret, KEY_PASSWORD, 'store-secret', 'eyJ']

function expectOneLine({ stdout, stderr }: Ran, says: RegExp): void {
  expect(stdout).toBe('')
  const lines = stderr.split('\n').filter((line) => !line.startsWith('warning: '))
  expect(lines).toEqual([expect.stringMatching(says)])
  for (const secret of SECRETS) expect(stderr).not.toContain(secret)
}

describe('refused: exit 3, and one line that names the cause', () => {
  it.each(FAILURES)('$name', async ({ listener, settings, says }) => {
    const server = `127.0.0.1:${listener === 'nobody' ? cluster.unusedPort : cluster.port(listener)}`
    const file = cluster.clientFile(settings(cluster))
    const ran = await recovery('status', '--bootstrap-server', server, '--command-config', file)
    expectOneLine(ran, says)
    expect(ran.stderr).toContain(server)
    expect(ran.exit).toBe(3)
  })

  it('a token that the broker refuses', async () => {
    cluster.issuer.wrongAudience = true
    try {
      const server = `127.0.0.1:${cluster.port('sasl')}`
      const file = cluster.clientFile(byToken(cluster))
      const ran = await recovery('status', '--bootstrap-server', server, '--command-config', file)
      expectOneLine(
        ran,
        /the login with OAUTHBEARER was refused: the token was refused \(invalid_token\); check sasl\.oauthbearer/,
      )
      expect(ran.exit).toBe(3)
    } finally {
      cluster.issuer.wrongAudience = false
    }
  })
})

describe('what cannot work is named before anything connects: exit 2', () => {
  it.each([
    [
      'the password of a key',
      (c: SecuredCluster) => tls({ ...pemTrust(c), ...pemIdentity(c, 'own-encrypted.pem'), 'ssl.key.password': 'no' }),
      /ssl\.key\.password: .*password is wrong/,
    ],
    [
      'the password of a store',
      ({ path }: SecuredCluster) =>
        tls({ ...store('truststore', path('ca.jks'), 'JKS'), 'ssl.truststore.password': 'no' }),
      /ssl\.truststore\.password: .*password is wrong/,
    ],
    [
      'GSSAPI',
      () => ({ 'security.protocol': 'SASL_SSL', 'sasl.mechanism': 'GSSAPI' }),
      /GSSAPI is not supported; supported: /,
    ],
    [
      'AWS_MSK_IAM',
      () => ({
        'security.protocol': 'SASL_SSL',
        'sasl.mechanism': 'AWS_MSK_IAM',
        'sasl.client.callback.handler.class': 'software.amazon.msk.auth.iam.IAMClientCallbackHandler',
      }),
      /AWS_MSK_IAM is not supported; supported: /,
    ],
    [
      'a callback handler of somebody else',
      (c: SecuredCluster) => byToken(c, { 'sasl.login.callback.handler.class': 'com.example.Handler' }),
      /com\.example\.Handler is not supported: /,
    ],
  ] as const)('%s', async (_name, settings, says) => {
    // Nobody listens there: had it tried to connect, it would say so.
    const server = `127.0.0.1:${cluster.unusedPort}`
    const file = cluster.clientFile(settings(cluster))
    const ran = await recovery('status', '--bootstrap-server', server, '--command-config', file)
    expect(ran.stderr).toMatch(says)
    expect(ran.stderr).not.toContain('connection refused')
    expect(ran.exit).toBe(2)
  })
})

describe('a login that runs out', () => {
  it('by password: it is renewed on the open connection, in use or idle, also when several requests find it so', async () => {
    const { settings } = await resolveConnection({
      bootstrapServer: `127.0.0.1:${cluster.port('short')}`,
      commandConfigFile: cluster.clientFile(byPassword('SCRAM-SHA-512')),
      brokerEndpoints: [],
      readOnly: true,
    })
    let opened = 0
    const errors: string[] = []
    const connected = await connectCluster(
      sessionOptions(settings, {
        onExchange: ({ api, error }) => {
          if (api === 'ApiVersions') opened += 1
          if (error !== null) errors.push(error)
        },
      }),
    )
    try {
      const read = () => connected.snapshot({ logDirs: true, elr: true, configs: true, quorum: true })
      const startedAt = performance.now()
      while (performance.now() - startedAt < 2.2 * SHORT_LOGIN_MS) {
        for (const snapshot of await Promise.all([read(), read()])) expect(snapshot.problems).toEqual([])
        await delay(150)
      }
      await delay(SHORT_LOGIN_MS + 300)
      for (const snapshot of await Promise.all([read(), read(), read()])) expect(snapshot.problems).toEqual([])
      expect({ opened, errors }).toEqual({ opened: 1, errors: [] })
    } finally {
      await connected.close()
    }
  })

  it('by a token that runs out too, while the console is open: new tokens are fetched, and the screen shows no trouble', async () => {
    const { issuer } = cluster
    issuer.lifeSeconds = 3
    const bin = join(inject('packageRoot'), 'bin/kafka-recovery.js')
    const server = `127.0.0.1:${cluster.port('short')}`
    const file = cluster.clientFile(byToken(cluster))
    const opened = startProgram(
      process.execPath,
      [bin, '--bootstrap-server', server, '--command-config', file, '--refresh-ms', '300'],
      { cwd: folder.path('.'), env: { KAFKA_RECOVERY_HOME: folder.path('home') }, columns: 120 },
    )
    try {
      await opened.waitFor('1 brokers: 1 up')
      const before = issuer.issued()
      const seen = new Set<string>()
      await until('three more tokens to be fetched', () => {
        for (const line of opened.lines()) seen.add(line)
        return issuer.issued() >= before + 3 ? { done: undefined } : { seen: issuer.issued() - before }
      })
      opened.send('q')
      expect((await opened.exited).code).toBe(0)
      const trouble = /error|refused|closed|broke during|does not answer|stale|[1-9] down|login/i
      expect([...seen].filter((line) => trouble.test(line))).toEqual([])
    } finally {
      issuer.lifeSeconds = 600
      await opened.dispose()
    }
  })
})
