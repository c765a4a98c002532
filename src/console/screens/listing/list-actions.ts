import type { ActionContext } from '../../app/screen.js'
import type { ConsoleData } from '../../console-data.js'
import type { Action } from '../../keys/registry.js'
import type { ConsoleServices } from '../../services.js'
import { planGroups } from './planning.js'

type Context = ActionContext<ConsoleData>

/** What every list of groups or partitions offers: the plans of whole groups. */
export function groupPlanActions(screen: string, services: ConsoleServices): Action<Context>[] {
  return [
    {
      id: `${screen}.planA`,
      keys: ['a'],
      label: 'plan group A',
      hint: 'plan A',
      hintOrder: 22,
      scope: screen,
      enabled: ({ data }) => has(data, ['A']) || 'there is nothing in group A to plan',
      run: ({ control }) => void planGroups(control, services, ['A']),
    },
    {
      id: `${screen}.planAB`,
      keys: ['b'],
      label: 'plan groups A and B, if the brokers of B are gone',
      scope: screen,
      enabled: ({ data }) => has(data, ['A', 'B']) || 'there is nothing in groups A and B to plan',
      run: ({ control }) => void planGroups(control, services, ['A', 'B']),
    },
  ]
}

function has({ diagnosis }: ConsoleData, ids: readonly string[]): boolean {
  return diagnosis?.groups.some(({ id, partitions }) => ids.includes(id) && partitions.length > 0) === true
}
