import { readFileSync } from 'node:fs'
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
