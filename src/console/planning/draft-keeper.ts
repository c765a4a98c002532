import { partitionName } from '../../cluster/snapshot.js'
import { findPartition } from '../../recovery/diagnosis/diagnosis.js'
import { checkDraft, type Draft } from '../../recovery/drafts/draft.js'
import type { DraftStorage } from '../../recovery/drafts/draft-storage.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { changeDraft } from './change-draft.js'
import { partitionsText } from './plan-words.js'

type Control = ConsoleControl<ConsoleData>

/** Keeps the choices made by hand between consoles. */
export interface DraftKeeper {
  /** After any change of the data: loads what an earlier console left, once, and saves what was chosen since. */
  look(control: Control): void
  /** Everything that was chosen is on the disk, or the operator was told. */
  settled(): Promise<void>
}

export function createDraftKeeper(storage: DraftStorage): DraftKeeper {
  let saved: Draft | null = null
  let loading = false
  let work: Promise<void> = Promise.resolve()

  async function load(control: Control, clusterId: string): Promise<void> {
    try {
      const found = await storage.load(clusterId)
      if (found.kind === 'damaged') {
        control.notice(`${found.problem}; what was there is kept at ${found.path}`, 'warning')
      } else if (found.kind === 'draft') {
        const { draft, savedAt } = found
        control.update((data) => ({ ...data, earlierDraft: { draft, savedAt } }))
      }
    } catch (error) {
      control.notice(`Choices of earlier consoles cannot be read: ${errorText(error)}`, 'warning')
    }
  }

  async function save(control: Control, draft: Draft): Promise<void> {
    // Overtaken by a later choice.
    if (control.data.draft !== draft) return
    const { earlierDraft } = control.data
    // What was not taken up yet stays on offer: it is only forgotten when the operator says so.
    const whole =
      earlierDraft === null ? draft : { ...draft, entries: new Map([...earlierDraft.draft.entries, ...draft.entries]) }
    try {
      await storage.save(whole, new Date())
    } catch (error) {
      control.notice(`Your choices are not saved: ${errorText(error)}`, 'danger')
    }
  }

  return {
    look(control) {
      const { draft } = control.data
      if (draft === null) return
      if (!loading) {
        loading = true
        saved = draft
        work = work.then(() => load(control, draft.clusterId))
      }
      if (draft === saved) return
      saved = draft
      work = work.then(() => save(control, draft))
    },
    settled: () => work,
  }
}

/** Takes up the choices of an earlier console, as far as they still hold; what became of the others is told. */
export function takeUpEarlier(control: Control): void {
  const { earlierDraft, diagnosis, watched } = control.data
  if (earlierDraft === null || diagnosis === null) return
  const checked = checkDraft(
    earlierDraft.draft,
    diagnosis,
    (partition) => findPartition(watched.snapshot?.partitions ?? [], partition)?.leader ?? null,
  )
  const unread = checked.filter(({ status }) => status.kind === 'unread')
  if (unread.length > 0) {
    control.notice(`${partitionsText(unread.length)} of them are being read: once more in a moment.`, 'warning')
    return
  }
  const good = checked.filter(({ status }) => status.kind === 'asPlanned')
  control.update((data) => ({ ...data, earlierDraft: null }))
  changeDraft(control, (draft) => ({
    ...draft,
    // A choice made since stands above an earlier one.
    entries: new Map([
      ...good.map(
        ({ topic, partition, choice }) => [partitionName({ topic, partition }), { topic, partition, choice }] as const,
      ),
      ...draft.entries,
    ]),
  }))
  const lost = checked.flatMap(({ status, ...one }) =>
    status.kind === 'changed' || status.kind === 'gone' ? [`${partitionName(one)}: ${status.what}`] : [],
  )
  const [first] = lost
  control.notice(
    `Taken up: ${partitionsText(good.length)}.${first === undefined ? '' : ` Not taken up, for they do not hold any more: ${lost.length} (${first})`}`,
    first === undefined ? 'ok' : 'warning',
  )
}

/** The earlier choices are given up: the next save replaces them. */
export function forgetEarlier(control: Control): void {
  control.update((data) => ({
    ...data,
    earlierDraft: null,
    draft: data.draft === null ? null : { ...data.draft },
  }))
}
