import { partitionName } from '../../cluster/snapshot.js'
import { acceptCode, forget, takeOut } from '../../recovery/drafts/draft.js'
import { ACCEPTABLE_CODES, type AcceptableCode } from '../../recovery/planning/plan.js'
import { reasonAlone } from '../../recovery/planning/plan-partition.js'
import type { ActionContext } from '../app/screen.js'
import { acceptText, withAcknowledged } from '../applying/acknowledgements.js'
import { confirmAndApply, nothingToElect, underAlarm } from '../applying/confirm-apply.js'
import { REPORT_SCREEN } from '../applying/runs.js'
import type { ConsoleData } from '../console-data.js'
import type { Action } from '../keys/registry.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import type { ConsoleServices } from '../services.js'
import type { Rows } from '../state/rows.js'
import { copySequence } from '../terminal/clipboard.js'
import { changeDraft } from './change-draft.js'
import { editPlan } from './edit-plan.js'
import { electLine } from './elect-line.js'
import { exportPlan } from './export-plan.js'
import { takeOverChanges } from './follow.js'
import { changePlan, PLAN_SCREEN } from './open-plan.js'
import { planToElect } from './opened-plan.js'
import type { PlanRow } from './plan-rows.js'
import { partitionsText } from './plan-words.js'

type Context = ActionContext<ConsoleData>

/** What can be done on the Plan screen. Nothing here writes to the cluster but `apply`, and that after what it wants typed. */
export function planActions(
  services: ConsoleServices,
  rowsOf: (view: Context) => Rows<PlanRow>,
): readonly Action<Context>[] {
  const rowAt = (context: Context): PlanRow | undefined =>
    context.row === null ? undefined : rowsOf(context).rows.find(({ key }) => key === context.row)
  /** Marked rows that show, else the one under the cursor. */
  const chosen = (context: Context): PlanRow[] => {
    const { rows } = rowsOf(context)
    const marked = rows.filter(({ kind, key }) => kind !== 'text' && context.list.marks.has(key))
    const here = rowAt(context)
    return marked.length > 0 ? marked : here === undefined || here.kind === 'text' ? [] : [here]
  }
  const planned = ({ data }: Context) => {
    if (data.run !== null) return 'a recovery is under way'
    return data.plan?.now == null ? 'nothing is planned' : true
  }
  const onRows = (context: Context) => {
    const may = planned(context)
    return may !== true ? may : chosen(context).length > 0 || 'no partition is under the cursor, nor marked'
  }
  const action = (rest: Omit<Action<Context>, 'scope'>): Action<Context> => ({ ...rest, scope: PLAN_SCREEN })

  return [
    action({
      id: 'plan.apply',
      keys: ['a'],
      label: 'apply this plan',
      hint: 'apply',
      hintOrder: 10,
      enabled: (context) => {
        const may = planned(context)
        return may === true ? (nothingToElect(context.data) ?? true) : may
      },
      run: ({ control }) => void confirmAndApply(control, services),
    }),
    action({
      id: 'plan.takeOut',
      keys: ['-'],
      label: 'take out',
      hint: 'take out',
      hintOrder: 20,
      enabled: onRows,
      run: (context) =>
        changeDraft(context.control, (draft) =>
          takeOut(
            draft,
            chosen(context).flatMap((row) => partitionOf(row, context)),
          ),
        ),
    }),
    action({
      id: 'plan.forget',
      keys: ['+'],
      label: 'put back in, as ranked',
      enabled: onRows,
      run: (context) =>
        changeDraft(context.control, (draft) =>
          forget(
            draft,
            chosen(context).flatMap((row) => partitionOf(row, context)),
          ),
        ),
    }),
    action({
      id: 'plan.overrule',
      keys: ['o'],
      label: 'overrule why this is left, for all listed',
      hint: 'overrule',
      hintOrder: 50,
      enabled: (context) => {
        const may = planned(context)
        if (may !== true) return may
        const row = rowAt(context)
        return row?.kind === 'left'
          ? row.overrulable || `${row.skipped.code} cannot be overruled`
          : rowsOf(context).rows.some((one) => one.kind === 'left') && 'put the cursor on one that is left to you'
      },
      run: (context) => {
        const row = rowAt(context)
        const code = row?.kind === 'left' ? ACCEPTABLE_CODES.find((one) => one === row.skipped.code) : undefined
        if (code !== undefined) void overrule(context, code, rowsOf(context))
      },
    }),
    action({
      id: 'plan.takeOver',
      keys: ['c'],
      label: 'take the changes over',
      enabled: (context) => {
        const may = planned(context)
        if (may !== true) return may
        return (context.data.plan?.now?.changed.size ?? 0) > 0 || 'nothing has changed'
      },
      run: ({ control, data }) => {
        if (data.plan !== null) changePlan(control, data.plan.planId, takeOverChanges)
      },
    }),
    action({
      id: 'plan.takeOutAlarmed',
      keys: [],
      label: 'take out what an alarm stands on',
      enabled: (context) => {
        const may = planned(context)
        return may !== true ? may : alarmedIn(context.data).length > 0 || 'no alarm stands on any of it'
      },
      run: ({ control, data }) => changeDraft(control, (draft) => takeOut(draft, alarmedIn(data))),
    }),
    action({
      id: 'plan.details',
      keys: ['i', 'enter'],
      label: 'all that is said of it',
      hint: 'details',
      hintOrder: 40,
      enabled: (context) => rowAt(context)?.kind !== 'text' && rowAt(context) !== undefined,
      run: ({ control, row }) => control.open(PLANNED_SCREEN, { partition: row ?? '' }),
    }),
    action({
      id: 'plan.export',
      keys: ['x'],
      label: 'export plan',
      argument: 'FILE',
      hint: 'export',
      hintOrder: 60,
      enabled: planned,
      run: ({ control }, argument) => void exportPlan(control, argument),
    }),
    action({
      id: 'plan.edit',
      keys: ['e'],
      label: 'edit in $EDITOR',
      hint: 'edit',
      hintOrder: 70,
      enabled: planned,
      run: ({ control }) => void editPlan(control, process.env),
    }),
    action({
      id: 'plan.copy',
      keys: ['y'],
      label: 'copy the line that applies it',
      enabled: (context) => {
        const may = planned(context)
        return may !== true ? may : context.data.plan?.file != null || 'it is in no file yet: x exports it'
      },
      run: ({ control, data }) => {
        const path = data.plan?.file?.path
        if (path === undefined) return
        const line = electLine(data.place, path)
        control.send(copySequence(line))
        control.notice(`Copied: ${line}`, 'ok')
      },
    }),
    action({
      id: 'plan.report',
      keys: ['r'],
      label: 'show the last report',
      enabled: ({ data }) => data.run === null && (data.finished !== null || 'nothing was carried out yet'),
      run: ({ control }) => control.open(REPORT_SCREEN),
    }),
  ]
}

/** Id of the screen with all that is said of one planned partition. */
export const PLANNED_SCREEN = 'planned'

function partitionOf({ key }: PlanRow, { data }: Context) {
  return (data.plan?.scope.partitions ?? []).filter((partition) => partitionName(partition) === key)
}

function alarmedIn({ plan, diagnosis }: ConsoleData) {
  if (plan?.now == null || diagnosis === null) return []
  const all = planToElect(plan.now).partitions
  return diagnosis.alarms.flatMap((alarm) => underAlarm(all, [alarm])?.partitions ?? [])
}

/** Overrules one code over the listed set, after its own text was typed. */
async function overrule({ control }: Context, code: AcceptableCode, listed: Rows<PlanRow>): Promise<void> {
  const { plan, diagnosis } = control.data
  const rows = listed.rows.flatMap((row) => (row.kind === 'left' && row.skipped.code === code ? [row.skipped] : []))
  if (plan === null || diagnosis === null || rows.length === 0) return
  const text = acceptText(code, rows.length)
  const typed = await control.ask({
    label: `Type: ${text}`,
    expected: text,
    body: [
      ...wrapSentence(
        `${partitionsText(rows.length)} left to you as ${code}: each gets the first by rank as its leader all the same.`,
        58,
      ),
      ...rows.flatMap((skipped) =>
        wrapSentence(`${partitionName(skipped)}: ${reasonAlone(skipped.reason)}`, 58, '  ').map(
          (text): Line => [span('warning', text)],
        ),
      ),
    ],
  })
  if (typed === null) return
  const evidences = rows.flatMap(({ evidence }) => (evidence === null ? [] : [evidence]))
  let still: readonly { readonly reason: string }[] = []
  changeDraft(control, (draft) => {
    const accepted = acceptCode(draft, code, evidences, diagnosis.context)
    still = accepted.stillLeft
    return accepted.draft
  })
  changePlan(control, plan.planId, (opened) => withAcknowledged(opened, code, rows))
  if (still.length > 0) {
    control.notice(
      `${partitionsText(still.length)} still left to you, for another reason: ${reasonAlone(still[0]?.reason ?? '')}`,
      'warning',
    )
  }
}
