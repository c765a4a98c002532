import type { ActionContext } from './app/screen.js'
import type { ConsoleData } from './console-data.js'
import type { Action } from './keys/registry.js'
import type { Leaving } from './leaving.js'
import { forgetEarlier, takeUpEarlier } from './planning/draft-keeper.js'
import { openSavedPlan } from './planning/open-saved-plan.js'
import { openRestore } from './restoring/restore-state.js'
import type { ConsoleServices } from './services.js'

/** What works on every screen of this console, beside what every console has. */
export function appActions(services: ConsoleServices, leaving: Leaving): readonly Action<ActionContext<ConsoleData>>[] {
  const action = (rest: Omit<Action<ActionContext<ConsoleData>>, 'scope'>): Action<ActionContext<ConsoleData>> => ({
    ...rest,
    scope: 'global',
  })
  return [
    action({
      id: 'run.stop',
      keys: ['ctrl+c'],
      label: 'stop what is under way: a recovery after its batch, a command at once',
      enabled: ({ data }) =>
        data.run !== null ||
        data.restore?.kind === 'running' ||
        (data.command !== null && data.command.result === null),
      run: ({ control }) => leaving.interrupt(control),
    }),
    action({
      id: 'plan.open',
      keys: [],
      label: 'open plan',
      argument: 'FILE',
      run: ({ control }, argument) => void openSavedPlan(control, services, argument),
    }),
    action({
      id: 'draft.takeUp',
      keys: ['Y'],
      label: 'take up the earlier choices',
      hint: 'take up',
      hintOrder: 5,
      enabled: ({ data }) => data.earlierDraft !== null,
      run: ({ control }) => takeUpEarlier(control),
    }),
    action({
      id: 'draft.forget',
      keys: [],
      label: 'forget the earlier choices',
      enabled: ({ data }) => data.earlierDraft !== null,
      run: ({ control }) => forgetEarlier(control),
    }),
    action({
      id: 'restore.open',
      keys: ['R'],
      label: 'restore what was left re-ordered',
      enabled: ({ data }) => {
        if (data.run !== null) return 'a recovery is under way'
        return data.unfinished.length > 0 || data.restore !== null || 'no interrupted run has left anything'
      },
      run: ({ control }) => void openRestore(control, services),
    }),
  ]
}
