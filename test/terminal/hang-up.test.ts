import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pty from '@lydell/node-pty'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'

// Proves that a terminal that goes away (a lost SSH connection) ends the program in order: nothing is left, and Node does not abort.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hang-up-'))
  mkdirSync(join(folder, 'tmp'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('the console, hung up in the middle of a view, ends with 129 and leaves nothing behind', async () => {
  const node = `'${process.execPath}' '${join(inject('packageRoot'), 'bin/kafka-recovery.js')}'`
  // The shell outlives the hangup, to tell how the console ended.
  const shell = pty.spawn('bash', ['-c', `trap : HUP; ${node} demo 2>said; echo $? >code.part; mv code.part code`], {
    name: 'xterm-256color',
    cwd: folder,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', TMPDIR: join(folder, 'tmp'), KAFKA_RECOVERY_HOME: folder },
  })
  let shown = ''
  shell.onData((data) => {
    shown += data
  })
  await expect.poll(() => shown).toContain('OFFLINE of')
  // Closes the other end, as sshd does when the connection is lost.
  ;(shell as unknown as { destroy(): void }).destroy()
  const code = join(folder, 'code')
  await expect.poll(() => existsSync(code)).toBe(true)
  expect(readFileSync(code, 'utf8')).toBe('129\n')
  expect(readFileSync(join(folder, 'said'), 'utf8')).not.toMatch(/Assertion|stack trace/)
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
})
