import { randomUUID } from 'node:crypto'
import type { Cluster } from '../../cluster/cluster.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { ConsoleServices } from '../services.js'
import { newList } from '../state/list-state.js'
import { followPlan } from './follow.js'
import type { OpenedPlan, PlanScope } from './opened-plan.js'

/** Id of the Plan screen. */
export const PLAN_SCREEN = 'plan'

/**
 * Opens the Plan screen, the dry run, for a selection of partitions: as diagnosed, with the draft laid over. The plan stays with these
 * partitions and follows every new diagnosis. While a recovery runs its own plan stays.
 */
export function openPlan(control: ConsoleControl<ConsoleData>, services: ConsoleServices, scope: PlanScope): void {
  showPlan(control, services, {
    planId: randomUUID(),
    openedAt: new Date(),
    scope,
    file: null,
    fileChoices: new Map(),
    acknowledged: new Map(),
    target: null,
    now: null,
  })
}

/** Puts a plan on the Plan screen and goes there, to the top of its list. */
export function showPlan(
  control: ConsoleControl<ConsoleData>,
  { cluster }: Pick<ConsoleServices, 'cluster'>,
  plan: OpenedPlan,
): void {
  if (control.data.run !== null) {
    control.notice('A recovery is under way: plan again when it has ended.', 'warning')
    return
  }
  control.update((data) => followPlan({ ...data, plan }), 'now')
  if (control.ui.stack.at(-1)?.screen === PLAN_SCREEN) control.replace(PLAN_SCREEN)
  else control.open(PLAN_SCREEN)
  control.changeList(() => newList())
  void askTarget(cluster).then((target) => changePlan(control, plan.planId, (opened) => ({ ...opened, target })))
}

/** Whom the writing requests would go to, and what the brokers offer. Never rejects; nothing that writes is sent. */
export async function askTarget(cluster: Cluster): Promise<NonNullable<OpenedPlan['target']>> {
  try {
    const [{ broker, address, forwards, alterVersion, electVersion }, capabilities] = await Promise.all([
      cluster.writingTarget(),
      cluster.capabilities(),
    ])
    const whom = `${broker === null ? 'the broker' : `broker ${broker}`} at ${address}`
    const to = forwards ? `${whom} (hands it on to the controller)` : `${whom} (the controller)`
    return { to, alterVersion, electVersion, capabilities }
  } catch (error) {
    return { problem: errorText(error) }
  }
}

/** Changes the plan on the screen, if it is still that one. */
export function changePlan(
  control: ConsoleControl<ConsoleData>,
  planId: string,
  change: (plan: OpenedPlan) => OpenedPlan,
): void {
  control.update((data) => (data.plan?.planId === planId ? { ...data, plan: change(data.plan) } : data), 'now')
}
