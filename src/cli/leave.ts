import { isatty } from 'node:tty'

const TERMINALS = [0, 1, 2].filter((descriptor) => isatty(descriptor))

/**
 * Ends the process with that exit code, also where the terminal is gone: there Node 20 aborts at its own exit, because it can not give the
 * terminal its old modes back (nodejs/node#51519, measured on 20.20.2), and a core dump would hold passwords. A hangup's own effect
 * ends it then, which shells tell as 129, too. To be called when everything is in order again: listeners of `exit` are not told then.
 */
export function leaveProcess(exit: number): never {
  // What was a terminal is none any more: it was hung up.
  if (TERMINALS.some((descriptor) => !isatty(descriptor))) {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }
  process.exit(exit)
}
