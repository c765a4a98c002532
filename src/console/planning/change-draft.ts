import type { Draft } from '../../recovery/drafts/draft.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { followPlan } from './follow.js'

/** Changes the choices made by hand; the plan follows at once. They are saved by whoever watches the data (draft-keeper.ts). */
export function changeDraft(control: ConsoleControl<ConsoleData>, change: (draft: Draft) => Draft): void {
  control.update((data) => {
    if (data.draft === null) return data
    const draft = change(data.draft)
    return draft === data.draft ? data : followPlan({ ...data, draft })
  }, 'now')
}
