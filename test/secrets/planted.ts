import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { inject, onTestFinished } from 'vitest'
import { checkScenario } from '../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'
import { STORES } from '../config/command-configs.js'
import { type Canary, canary, filesBelow, found } from './canaries.js'
import { type LoginFront, loginFront } from './login-front.js'

/** Secrets that lie where a real cluster's do; each is looked for in everything that any command leaves behind. */
export const SECRETS = {
  plain: 'pl41n,=c4nary \u00e9/+x',
  wrong: 'wr0ng-c4nary-p4ssw0rd',
  clientSecret: 'cl1ent+c4nary/s3cret',
  token: 'eyJ0b2tlbi1jNG5hcnkiOjF9.c4nary-acc3ss.t0ken',
  url: 'url-l0gin-c4nary',
  environment: 'env1ronment-c4nary',
  directory: 'd1rectory-c4nary',
  file: 'f1le-c4nary-value',
  store: 'wr0ng-st0re-c4nary',
  key: 'wr0ng-k3y-c4nary',
  other: 'unkn0wn-setting-c4nary',
  profile: 'pr0file-c4nary',
} as const

/** The body of a private key: a line out of its middle tells as much as the whole. */
function keyLines(name: string): string[] {
  const pem = readFileSync(join(STORES, name), 'utf8')
  return pem.split('\n').filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line))
}

export const CANARIES: readonly Canary[] = [
  ...Object.entries(SECRETS).map(([name, secret]) => canary(name, secret)),
  ...keyLines('client.key').map((line, at) => canary(`private key, line ${at}`, line)),
  canary('store password', 'store-secret'),
  canary('key password', 'key-secret'),
]

export interface Planted {
  readonly simulator: RunningSimulator
  /** Api names of what it received. */
  readonly requests: readonly string[]
  readonly fronts: readonly LoginFront[]
  /** Options that lead through the logins, with this file of properties. */
  connection(name: string, lines: readonly string[]): Promise<string[]>
  /** Runs one of the programs to its end; what it wrote, and how it was called, is kept for `leaks`. */
  run(program: 'kafka-recovery' | 'kafka-unclean-recovery', args: readonly string[], more?: RunMore): Promise<Ended>
  /** Keeps what was written elsewhere (a screen). */
  keep(what: string, text: string): void
  /** Every place where a secret came out, in files, output, command lines; and every file that others may read. */
  leaks(): string[]
  readonly tokenEndpoint: string
  path(name: string): string
  readonly env: Readonly<Record<string, string>>
}

interface RunMore {
  readonly env?: Readonly<Record<string, string>>
  /** Ends it with SIGKILL once this is true. */
  readonly killWhen?: () => boolean
}

export interface Ended {
  readonly exit: number | undefined
  readonly stdout: string
  readonly stderr: string
}

const SCENARIO = {
  clusterId: 'SIMULATED-secrets',
  brokers: [1, 2, 3].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/d', '/e'] })),
  topics: [
    {
      name: 'orders',
      partitions: [0, 1, 2].map((partition) => ({
        partition,
        assignment: [1, 3, 2],
        leader: -1,
        leaderEpoch: 3,
        elr: [1],
        lastKnownElr: [1],
        logs: Object.fromEntries(
          [2, 3].map((id) => [id, { logDir: '/d', logStartOffset: 0, logEndOffset: 50 - id, epochs: [[0, 0]] }]),
        ),
      })),
    },
  ],
}

/** A simulated cluster behind logins, and a folder in which everything lies that is written. */
export async function planted(front: Parameters<typeof loginFront>[1]): Promise<Planted> {
  const root = await mkdtemp(join(tmpdir(), 'secrets-test-'))
  const path = (name: string) => join(root, name)
  // What a user has put there himself: not searched.
  for (const name of ['conf', 'conf/dir', 'work']) await mkdir(path(name), { mode: 0o700 })
  await writeFile(path('conf/dir/pw'), SECRETS.directory)
  await writeFile(path('conf/secrets.properties'), `pw=${SECRETS.file}\n`)
  const requests: string[] = []
  const simulator = await startSimulator(checkScenario(SCENARIO, 'secrets'), {
    onRequest: ({ api }) => void requests.push(api),
  })
  const ports = simulator.bootstrapServers.split(',').map((server) => Number(server.split(':').at(-1)))
  const fronts = await Promise.all(ports.map((port) => loginFront(port, front)))
  const issuer = createServer((request, response) => {
    const right = `Basic ${Buffer.from(`client:${SECRETS.clientSecret}`).toString('base64')}`
    const ok = request.headers.authorization === right
    response.writeHead(ok ? 200 : 401, { 'content-type': 'application/json' })
    // An issuer may say more than it should.
    response.end(
      JSON.stringify(ok ? { access_token: SECRETS.token, expires_in: 3600 } : { error: request.headers.authorization }),
    )
  })
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await Promise.all(fronts.map((one) => one.close()))
    issuer.closeAllConnections()
    issuer.close()
    await simulator.stop()
    await rm(root, { recursive: true, force: true })
  })
  const ids = [...simulator.inspect().partition('orders', 0)!.replicas].filter((id) => id !== 1).sort()
  const env = { KAFKA_RECOVERY_HOME: path('home'), CANARY: SECRETS.environment }
  const kept: [string, string][] = []
  let runs = 0
  return {
    simulator,
    requests,
    fronts,
    path,
    env,
    tokenEndpoint: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/token`,
    keep: (what, text) => void kept.push([what, text]),
    async connection(name, lines) {
      const file = path(`conf/${name}.properties`)
      await writeFile(file, `${lines.join('\n')}\n`)
      await chmod(file, 0o600)
      // Only the brokers that are up have a server, in the order of their ids.
      const endpoints = ids.flatMap((id, at) => ['--broker-endpoint', `${id}=127.0.0.1:${fronts[at]?.port ?? 1}`])
      const servers = fronts.map(({ port }) => `127.0.0.1:${port}`).join(',')
      return ['--command-config', file, '--bootstrap-server', servers, ...endpoints]
    },
    async run(program, args, { env: more = {}, killWhen } = {}) {
      const child = execa(process.execPath, [join(inject('packageRoot'), 'bin', `${program}.js`), ...args], {
        reject: false,
        stdin: 'ignore',
        cwd: path('work'),
        env: { ...env, ...more },
        timeout: 60_000,
      })
      const what = `${++runs}: ${program} ${args.slice(0, 3).join(' ')}`
      const look = setInterval(() => {
        // The title stands in its command line and in its status, too.
        for (const name of ['cmdline', 'comm', 'status']) {
          try {
            kept.push([`${what}: /proc/PID/${name}`, readFileSync(`/proc/${child.pid}/${name}`, 'utf8')])
          } catch {
            // It has ended.
          }
        }
        if (killWhen?.() === true) child.kill('SIGKILL')
      }, 40)
      const { exitCode, stdout, stderr } = await child
      clearInterval(look)
      kept.push([`${what}: stdout`, stdout], [`${what}: stderr`, stderr])
      return { exit: exitCode, stdout, stderr }
    },
    leaks() {
      const files = ['home', 'work'].flatMap((name) => {
        try {
          return filesBelow(path(name))
        } catch {
          return []
        }
      })
      return [
        ...kept.flatMap(([what, text]) => found(what, text, CANARIES)),
        ...files.flatMap((file) => found(file.path, `${file.path} ${file.text}`, CANARIES)),
        ...files.flatMap(({ path: name, mode, folder }) =>
          mode === (folder ? 0o700 : 0o600) ? [] : [`${name} has mode ${mode.toString(8)}`],
        ),
      ]
    },
  }
}

export const plainLogin = (password: string) => [
  'security.protocol=SASL_PLAINTEXT',
  'sasl.mechanism=PLAIN',
  `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="operator" password="${password.replace('\u00e9', '\\u00e9')}";`,
  `my.own.password=${SECRETS.other}`,
]
