import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { type ProgramOptions, type ScreenProgram, startProgram } from '../terminal/harness/screen-program.js'

const SSHD = '/usr/sbin/sshd'
/** Where sshd looks for its separated process; Debian makes it when the service starts, which it does not here. */
const PRIVILEGES = '/run/sshd'

/** An sshd of this test's own: keys, configuration and port belong to it, and nothing of ~/.ssh or /etc/ssh is read. */
export interface SshServer {
  /** Its temporary folder, for what the test needs besides. */
  readonly folder: string
  /** Logs in with a terminal and runs the command there: `ssh -tt`. */
  login(command: string, options?: ProgramOptions): ScreenProgram
  stop(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1, in the foreground. Wants root, and Debian's openssh-server. */
export async function startSshServer(): Promise<SshServer> {
  if (!existsSync(SSHD)) throw new Error(`${SSHD} is missing: apt-get install openssh-server tmux`)
  const folder = await mkdtemp(join(tmpdir(), 'ssh-test-'))
  const madePrivileges = (await mkdir(PRIVILEGES, { recursive: true, mode: 0o755 })) !== undefined
  const port = await freePort()
  const file = (name: string) => join(folder, name)
  for (const key of ['host', 'user']) {
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', file(key)])
  }
  await writeFile(file('authorized'), await readFile(file('user.pub')), { mode: 0o600 })
  await writeFile(file('known'), `[127.0.0.1]:${port} ${await readFile(file('host.pub'), 'utf8')}`)
  await writeFile(
    file('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${file('host')}`,
      `AuthorizedKeysFile ${file('authorized')}`,
      'AuthenticationMethods publickey',
      'PermitRootLogin prohibit-password',
      // The folder lies in /tmp, which everybody may write to.
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'PrintMotd no',
      'PrintLastLog no',
      '',
    ].join('\n'),
  )
  const server = spawn(SSHD, ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (data) => {
      said += data
      if (said.includes('Server listening')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`sshd did not start: ${said.trim()}`)))
  })

  const logins: ScreenProgram[] = []
  return {
    folder,
    login(command, options) {
      const login = startProgram(
        'ssh',
        [
          ...['-tt', '-F', '/dev/null', '-p', String(port), '-i', file('user')],
          ...Object.entries({
            IdentitiesOnly: 'yes',
            IdentityAgent: 'none',
            StrictHostKeyChecking: 'yes',
            UserKnownHostsFile: file('known'),
            GlobalKnownHostsFile: '/dev/null',
            PasswordAuthentication: 'no',
          }).flatMap(([key, value]) => ['-o', `${key}=${value}`]),
          `${userInfo().username}@127.0.0.1`,
          command,
        ],
        { cwd: folder, ...options },
      )
      logins.push(login)
      return login
    },
    async stop() {
      for (const login of logins) await login.dispose()
      server.kill('SIGTERM')
      await ended
      if (madePrivileges) await rmdir(PRIVILEGES)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
