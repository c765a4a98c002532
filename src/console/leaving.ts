import type { ConsoleControl } from './app/screen.js'
import type { Runs } from './applying/runs.js'
import type { ConsoleData } from './console-data.js'
import type { EndSignal } from './terminal/process-events.js'

type Control = ConsoleControl<ConsoleData>

const WAITED_FOR = 'the batch under way is finished and its assignments are put back'

/** How the console is left while something writes: never before that is finished and put back. */
export interface Leaving {
  /** `q`: asks only while a run is under way. */
  quit(control: Control): void
  /** ctrl-c: ends a run after its batch; without one as `q`. */
  interrupt(control: Control): void
  onSignal(signal: EndSignal, exit: number, control: Control): void
}

export function createLeaving(runs: Runs): Leaving {
  /** With this exit code as soon as nothing is under way any more. */
  function leaveAfter(control: Control, exit: number, why: string): void {
    stop(control, why)
    void (runs.underWay ?? Promise.resolve()).then(() => control.quit(exit))
  }

  function stop(control: Control, why: string): void {
    const first = runs.stop()
    control.update(
      (data) => (data.run === null ? data : { ...data, run: { ...data.run, stopping: `${why}: ${WAITED_FOR}` } }),
      'now',
    )
    if (!first) control.notice(`${why}: still waiting: ${WAITED_FOR}`, 'warning')
  }

  return {
    quit(control) {
      if (runs.underWay === null) return control.quit(0)
      void control
        .ask({
          label: 'A recovery is under way. Leave after its batch? y/n',
          body: [`Then no new batch is begun, ${WAITED_FOR}.`],
        })
        .then((answer) => {
          if (answer?.trim().toLowerCase() === 'y') leaveAfter(control, 0, 'leaving')
        })
    },
    interrupt(control) {
      if (runs.underWay === null) return control.quit(0)
      stop(control, 'ctrl-c')
    },
    onSignal(signal, exit, control) {
      if (runs.underWay === null) control.quit(exit)
      else leaveAfter(control, exit, signal)
    },
  }
}
