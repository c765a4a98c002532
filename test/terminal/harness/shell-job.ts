import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type ProgramOptions, type ScreenProgram, startProgram } from './screen-program.js'

/** A program run as a job of an interactive bash, as an operator runs it: what it leaves behind can be looked at, and ctrl-z works. */
export interface ShellJob extends ScreenProgram {
  /** Process id of the job. */
  jobPid(): number
  /** Waits for the shell's prompt after the job ended or was stopped; the exit code as the shell tells it. */
  back(): Promise<void>
}

const PROMPT = 'PROMPT>'

/** Starts bash in a pty, and in it the command line, as if it were typed. */
export async function startJob(commandLine: string, options: ProgramOptions = {}): Promise<ShellJob> {
  const shell = startProgram('bash', ['--norc', '--noprofile', '-i'], {
    ...options,
    env: { PS1: `${PROMPT} `, BASH_SILENCE_DEPRECATION_WARNING: '1', HISTFILE: '', ...options.env },
  })
  await shell.waitFor(PROMPT)
  // The exit code is told by a line of its own, that can't be mistaken for the command line itself.
  shell.send(`${commandLine}; echo "code"=$?\r`)
  return Object.defineProperties({} as ShellJob, {
    ...Object.getOwnPropertyDescriptors(shell),
    jobPid: {
      value: () => {
        const children = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').trim().split(' ')
        const pid = Number(children.at(-1))
        if (!(pid > 0)) throw new Error('the shell has no job')
        return pid
      },
    },
    back: {
      value: async () => {
        await shell.waitFor((lines) => lines.findLast((line) => line !== '')?.startsWith(PROMPT) === true)
      },
    },
  })
}

/**
 * Expects the terminal as it was before the job: its modes, and what stood on the screen (`stillThere`). bash itself switches bracketed paste on at its
 * prompt, and raw mode with it; so the state is looked at while a `cat` waits.
 */
export async function expectRestored(job: ShellJob, stillThere: string): Promise<void> {
  await job.back()
  expect(job.raw.split('\x1b[?2004h').length).toBeGreaterThan(1)
  job.send("bind 'set enable-bracketed-paste off'; echo re''stored; cat\r")
  await job.waitFor('restored')
  expect(job.state).toEqual({
    alternateScreen: false,
    cursorVisible: true,
    bracketedPaste: false,
    wraparound: true,
    cooked: true,
  })
  // What was on the screen before is there again, and nothing was wiped.
  expect(job.text()).toContain(stillThere)
  expect(job.raw).not.toContain('\x1b[3J')
  // Leaves cat again: the line discipline works, as ctrl-c needs it.
  job.send('\x03')
}
