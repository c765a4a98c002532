import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { ScreenProgram } from '../terminal/harness/screen-program.js'
import { moveTo } from '../terminal/harness/simulated-console.js'
import { type SshServer, startSshServer } from './ssh-server.js'

// Proves that the console is usable as operators use it: over a real SSH login, in tmux and without, and that it outlives a lost connection in
// the one and leaves nothing behind in the other.

let server: SshServer
let tmux: string
/** The state and the temporary folders of what is started over SSH. */
let temporary: string

beforeAll(async () => {
  server = await startSshServer()
  temporary = join(server.folder, 'tmp')
  mkdirSync(temporary)
  // A server of its own, whose panes are as large as the terminal; -u: the login has no locale.
  tmux = `tmux -u -f ${join(server.folder, 'tmux.conf')} -S ${join(server.folder, 'tmux.socket')}`
  writeFileSync(join(server.folder, 'tmux.conf'), 'set -g status off\n')
})
afterAll(async () => {
  await execa('sh', ['-c', `${tmux} kill-server`], { reject: false })
  await server?.stop()
})

const demo = () =>
  `env LANG=C.UTF-8 TMPDIR=${temporary} KAFKA_RECOVERY_HOME=${join(server.folder, 'state')} ${process.execPath} ${join(inject('packageRoot'), 'bin/kafka-recovery.js')} demo`

/** Detaches as a person does; the login ends with it. */
async function detach(screen: ScreenProgram): Promise<void> {
  screen.send('\x02d')
  expect((await screen.exited).code).toBe(0)
  expect(screen.text()).toContain('[detached')
}

describe('over an SSH login', () => {
  it('in tmux at 80x24: from opening to the report, through a detach and a lost connection', async () => {
    const first = server.login(`${tmux} new-session -s night '${demo()}'`)
    await first.waitFor('SIMULATED demo')
    await first.waitFor(/ B .* 9\b/)
    expect(first.lines()).toHaveLength(24)
    expect(first.lines().at(-1)).toContain('quit')
    await moveTo(first, /^> +B /)
    first.send('p')
    await first.waitFor('"gone 1 2 3"')
    first.send('gone 1 2 3\r')
    await first.waitFor('9 to elect')
    await detach(first)

    const second = server.login(`${tmux} attach -t night`)
    await second.waitFor('9 to elect')
    second.send(':take out what\r')
    await second.waitFor('8 to elect')
    // The line goes dead: tmux keeps the console, and the plan in it.
    second.signal('SIGKILL')
    await second.exited

    const third = server.login(`${tmux} attach -t night`)
    await third.waitFor('8 to elect')
    third.send('a')
    await third.waitFor('Type: accept internal 2')
    third.send('accept internal 2\r')
    await third.waitFor('Type: elect 8 demo')
    third.send('elect 8 demo\r')
    await third.waitFor('8 elected')
    await third.waitFor('measured 1,833 + ?')
    await third.waitFor('[1]Partitions 8')
    third.send('q')
    expect((await third.exited).code).toBe(0)
    expect(third.state).toMatchObject({ alternateScreen: false, cursorVisible: true })
    expect(readdirSync(temporary)).toEqual([])
  })

  it('without tmux: q leaves the terminal as it was', async () => {
    const screen = server.login(demo())
    await screen.waitFor(/ B .* 9\b/)
    expect(screen.state.alternateScreen).toBe(true)
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
    expect(screen.state).toMatchObject({ alternateScreen: false, cursorVisible: true, bracketedPaste: false })
    expect(screen.text()).toContain('16 of 74 partitions offline')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('without tmux: a connection that is lost in the middle of a view ends the console, and all that it started', async () => {
    const codeFile = join(server.folder, 'code')
    // The shell outlives the hangup, to tell how the console ended.
    const screen = server.login(`trap : HUP; ${demo()}; echo $? > ${codeFile}`)
    await screen.waitFor(/ B .* 9\b/)
    await moveTo(screen, /^> +B /)
    screen.send('\r')
    await screen.waitFor('group B')
    screen.send('\r')
    await screen.waitFor('IF THIS LEADS')
    expect(processesWith(temporary)).not.toEqual([])
    screen.signal('SIGKILL')
    await screen.exited
    // 128 and SIGHUP's number.
    await expect.poll(() => existsSync(codeFile) && readFileSync(codeFile, 'utf8')).toBe('129\n')
    expect(processesWith(temporary)).toEqual([])
    expect(readdirSync(temporary)).toEqual([])
  })
})

/** Ids of the processes that have the folder in their environment: what was started there, and what that started. */
function processesWith(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}
