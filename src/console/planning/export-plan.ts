import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkNewFile, writeNewFile } from '../../recovery/files/new-file.js'
import { planFileText } from '../../recovery/files/plan-json.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { renewPlan } from './follow.js'
import { changePlan } from './open-plan.js'
import { planToElect } from './opened-plan.js'

/** Writes the plan as a JSON file of the operator's choice; never over one that is there. */
export async function exportPlan(control: ConsoleControl<ConsoleData>, given: string | null): Promise<void> {
  const opened = control.data.plan
  if (opened === null) return
  const { planId } = opened
  if (opened.now !== null && isEmpty(planToElect(opened.now))) {
    control.notice('There is nothing in this plan to export.', 'warning')
    return
  }
  const path =
    given ??
    (await control.ask({
      label: 'Path of the new plan file (mode 0600: for you alone; an existing file is never overwritten):',
      initial: `plan-${new Date().toISOString().slice(0, 16).replaceAll(':', '')}.json`,
    }))
  if (path === null || path.trim() === '') return
  control.update(renewPlan)
  const { plan } = control.data
  if (plan?.planId !== planId || plan.now === null) return
  const absolute = absolutePath(path)
  try {
    await checkNewFile(absolute)
    await writeNewFile(absolute, planFileText(planToElect(plan.now)))
  } catch (error) {
    control.notice(errorText(error), 'danger')
    return
  }
  changePlan(control, planId, (opened) => ({ ...opened, file: { path: absolute, kind: 'written' } }))
  control.notice(`Written, mode 0600: ${absolute}   y copies the line that applies it`, 'ok')
}

function isEmpty({ partitions, skipped }: RecoveryPlan): boolean {
  return partitions.length + skipped.length === 0
}

/** As a shell would take it from here: `~/` is the home folder. */
export function absolutePath(path: string): string {
  const trimmed = path.trim()
  return resolve(trimmed.startsWith('~/') ? join(homedir(), trimmed.slice(2)) : trimmed)
}
