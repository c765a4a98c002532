import type { ConsoleControl } from './app/screen.js'
import type { Runs } from './applying/runs.js'
import type { ConsoleData } from './console-data.js'
import type { CommandRun } from './repairing/command-run.js'
import type { EndSignal } from './terminal/process-events.js'

type Control = ConsoleControl<ConsoleData>

/** What is done with what is under way before the console may be left. */
function waitedFor({ command }: ConsoleData): string {
  return runs(command)
    ? `${command.name} is ended (SIGTERM, and SIGKILL if that does not help), and recorded`
    : 'the batch under way is finished and its assignments are put back'
}

function runs(command: ConsoleData['command']): command is CommandRun {
  return command !== null && command.result === null
}

/** Why ctrl-z is refused while something is under way. */
export function suspendRefusal({ command }: ConsoleData): string {
  return runs(command)
    ? `${command.name} runs: ctrl-c ends it, then ctrl-z works`
    : 'a batch is under way: ctrl-c ends the recovery after it, then ctrl-z works'
}

/** How the console is left while something writes: never before that is finished and put back. */
export interface Leaving {
  /** `q`: asks only while a run is under way. */
  quit(control: Control): void
  /** ctrl-c: ends a run after its batch; without one as `q`. */
  interrupt(control: Control): void
  onSignal(signal: EndSignal, exit: number, control: Control): void
}

export function createLeaving(underWay: Runs): Leaving {
  /** With this exit code as soon as nothing is under way any more. */
  function leaveAfter(control: Control, exit: number, why: string): void {
    stop(control, why)
    void (underWay.underWay ?? Promise.resolve()).then(() => control.quit(exit))
  }

  function stop(control: Control, why: string): void {
    const first = underWay.stop()
    const waiting = waitedFor(control.data)
    control.update((data) => withStopping(data, `${why}: ${waiting}`), 'now')
    if (!first) control.notice(`${why}: still waiting: ${waiting}`, 'warning')
  }

  return {
    quit(control) {
      if (underWay.underWay === null) return control.quit(0)
      const { command } = control.data
      void control
        .ask({
          label: runs(command)
            ? `${command.name} of broker ${command.broker} runs. End it and leave? y/n`
            : 'A recovery is under way. Leave after its batch? y/n',
          body: [
            runs(command)
              ? `Then ${waitedFor(control.data)}.`
              : `Then no new batch is begun, ${waitedFor(control.data)}.`,
          ],
        })
        .then((answer) => {
          if (answer?.trim().toLowerCase() === 'y') leaveAfter(control, 0, 'leaving')
        })
    },
    interrupt(control) {
      if (underWay.underWay === null) return control.quit(0)
      stop(control, 'ctrl-c')
    },
    onSignal(signal, exit, control) {
      if (underWay.underWay === null) control.quit(exit)
      else leaveAfter(control, exit, signal)
    },
  }
}

function withStopping(data: ConsoleData, stopping: string): ConsoleData {
  const { run, command } = data
  if (command !== null && runs(command)) return { ...data, command: { ...command, stopping } }
  return run === null ? data : { ...data, run: { ...run, stopping } }
}
