import { type FoundJournal, findUnfinished } from '../../recovery/journal/found.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { ConsoleServices } from '../services.js'

/** What interrupted runs have left on this cluster, looked for anew; where that fails the operator is told. */
export async function findLeftOrders(
  control: ConsoleControl<ConsoleData>,
  { journals }: Pick<ConsoleServices, 'journals'>,
): Promise<void> {
  try {
    const found = await findUnfinished(journals.storage, journals.processes)
    control.update((data) => {
      const clusterId = data.diagnosis?.clusterId ?? data.watched.snapshot?.clusterId
      return clusterId === undefined ? data : { ...data, unfinished: unfinishedOf(found, clusterId) }
    })
  } catch (error) {
    control.notice(`Journals of earlier runs cannot be looked for: ${errorText(error)}`, 'warning')
  }
}

/** Journals that concern this cluster: those that name it, and those that nobody can read. */
function unfinishedOf(journals: readonly FoundJournal[], clusterId: string): readonly FoundJournal[] {
  return journals.filter(({ contents }) => (contents?.clusterId ?? clusterId) === clusterId)
}
