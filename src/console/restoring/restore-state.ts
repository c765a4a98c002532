import { systemClock } from '../../recovery/apply/clock.js'
import {
  planRestore,
  RESTORE_DEFAULTS,
  type RestoreOptions,
  type RestorePreview,
  type RestoreReport,
  restoreOrders,
} from '../../recovery/restore/restore.js'
import { restoreRefusal } from '../../recovery/restore/restore-refusal.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { span } from '../layout/line.js'
import type { ConsoleServices } from '../services.js'
import { findLeftOrders } from './left-orders.js'

/** Id of the Restore screen. */
export const RESTORE_SCREEN = 'restore'
type Control = ConsoleControl<ConsoleData>

/** What the Restore screen shows. */
export type RestoreState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'preview'; readonly preview: RestorePreview; readonly journals: number }
  | { readonly kind: 'running'; readonly waiting: string | null }
  | { readonly kind: 'done'; readonly report: RestoreReport }

/** Opens the preview: what would be put back, by what the cluster shows now. Sends nothing that writes. */
export async function openRestore(control: Control, services: ConsoleServices): Promise<void> {
  set(control, { kind: 'reading' })
  control.open(RESTORE_SCREEN)
  try {
    await findLeftOrders(control, services)
    const options = optionsFor(control, services)
    if (options === null) return set(control, { kind: 'failed', text: 'nothing was read of the cluster yet' })
    const { unfinished } = control.data
    const preview = await planRestore(services.cluster, unfinished, systemClock, options)
    set(control, { kind: 'preview', preview, journals: unfinished.length })
  } catch (error) {
    set(control, { kind: 'failed', text: errorText(error) })
  }
}

/** Puts the orders back, after the text was typed; where nothing is to be sent the journals are only closed, and nothing is asked. */
export async function confirmRestore(control: Control, services: ConsoleServices): Promise<void> {
  const { restore, place, unfinished } = control.data
  if (restore?.kind !== 'preview') return
  const number = restore.preview.toRestore.length
  const unknown = { mayElect: null }
  // A cluster that cannot be asked may allow it: the request will tell. Where nothing is to be sent it need not be asked.
  const asked = number === 0 || place.readOnly ? unknown : await services.cluster.capabilities().catch(() => unknown)
  const refusal = restoreRefusal(asked, place)
  if (refusal !== null) return control.notice(refusal, 'danger')
  if (number > 0) {
    const text = `restore ${number} ${place.name}`
    const typed = await control.ask({
      label: `Type: ${text}`,
      expected: text,
      body: [
        [span('warning', `This puts ${number} assignments back as they were. Each is looked at once more before.`)],
      ],
    })
    if (typed === null) return
  }
  const options = optionsFor(control, services)
  if (options === null || services.runs.underWay !== null) return
  set(control, { kind: 'running', waiting: null })
  await services.runs.hold(async () => {
    try {
      const report = await restoreOrders(
        services.cluster,
        unfinished,
        { journals: services.journals, clock: systemClock },
        { ...options, onWait: (waiting) => set(control, { kind: 'running', waiting }) },
      )
      set(control, { kind: 'done', report })
      const text = `Put back ${report.restored.length} assignments, ${report.left.length} left, ${report.unknown.length} unknown: an interrupted run had left them re-ordered.`
      control.update((data) => ({ ...data, sent: [...data.sent, { at: new Date(), text }] }))
    } catch (error) {
      set(control, { kind: 'failed', text: errorText(error) })
    }
  })
  await findLeftOrders(control, services)
  await services.live.readNow()
}

function optionsFor({ data }: Control, { requestTimeoutMs, readOnly }: ConsoleServices): RestoreOptions | null {
  const { diagnosis } = data
  if (diagnosis === null) return null
  return {
    clusterId: diagnosis.clusterId,
    readOnly,
    requestTimeoutMs,
    ...RESTORE_DEFAULTS,
    topicConfigs: diagnosis.context.topicConfigs,
  }
}

function set(control: Control, restore: RestoreState): void {
  control.update((data) => ({ ...data, restore }), 'now')
}
