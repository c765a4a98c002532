import type { DecisionGroup } from '../../../recovery/diagnosis/decision-groups.js'
import type { GroupId } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { SkipCode } from '../../../recovery/planning/plan.js'
import { wholeNumber } from '../../layout/amounts.js'

/** A group's letter, or what stands for it in the first column. */
export function groupLetter(id: GroupId | 'all'): string {
  if (id === 'reading' || id === 'all') return '-'
  return id.startsWith('waits-') ? 'W' : id
}

/** How a sentence names the group: "group A", "those that wait for broker 4". */
export function groupName(id: GroupId | 'all'): string {
  if (id === 'all') return 'all offline partitions'
  if (id === 'reading') return 'those being read'
  return id.startsWith('waits-') ? `those that wait for broker ${id.slice('waits-'.length)}` : `group ${id}`
}

/** What stands beside the letter; shorter where rows, and then columns, are few. */
export function groupLabel(
  group: Pick<DecisionGroup, 'id' | 'codes' | 'waitsFor'>,
  length: 'long' | 'short' | 'shortest',
): string {
  switch (group.id) {
    case 'A':
      return length === 'long' ? 'can be elected: no missing replica led last or is in ISR, ELR' : 'can be elected'
    case 'B':
      return length === 'shortest' ? 'better wait' : 'better wait: a missing one may hold more'
    case 'C': {
      const codes = group.codes.map(({ code, count }) => `${code} ${wholeNumber(count)}`).join(', ')
      return codes === '' ? 'yours to decide' : `${length === 'long' ? 'yours to decide' : 'yours'}: ${codes}`
    }
    case 'D':
      return length === 'shortest' ? 'BLOCKED' : 'BLOCKED: Kafka would take another'
    case 'reading':
      return 'logs are being read'
    default:
      return length === 'shortest'
        ? `waits for ${group.waitsFor}`
        : `waits for broker ${group.waitsFor}: comes back with it`
  }
}

/** The group in a sentence or two, above its list. */
export function groupExplanation(id: GroupId | 'all'): string {
  switch (id) {
    case 'A':
      return 'Can be elected: no missing replica led last or is in ISR, ELR or last known ELR. What replicas that were not read hold besides is unknown (?).'
    case 'B':
      return 'Better wait: a replica that was not read led last, or is in ISR, ELR or last known ELR, and probably holds more. Start its broker with its old disk; elect only if that one is gone (b).'
    case 'C':
      return 'Yours to decide: nothing is chosen by itself. Each has its code; enter compares the logs, c there chooses a leader by hand.'
    case 'D':
      return 'Blocked: whatever is sent, Kafka would make another broker leader, with less. Nothing is sent for these. Stop that broker first.'
    case 'reading':
      return 'Their logs were not read yet: what can be done is not known.'
    case 'all':
      return 'Every partition without a leader.'
    default:
      return `Comes back with broker ${id.slice('waits-'.length)}, which was stopped for a repair and still has its log.`
  }
}

/** How the way on is said where the keys differ: in a list of partitions, in the comparison of one, or in a plan. */
export type ToldIn = 'list' | 'compare' | 'plan'

/** Choosing a leader by hand, with the keys of each view. */
const BY_HAND: Readonly<Record<ToldIn, string>> = {
  list: 'choose by hand (enter, c)',
  compare: 'choose by hand (c)',
  plan: 'overrule it for all with this code (o), or choose by hand in Compare (c)',
}

const SIZES: Readonly<Record<ToldIn, string>> = { list: ' (enter, i)', compare: ' (i)', plan: ' in Compare (i)' }

/** What a code means and the way on, in a sentence each. */
export function codeExplanation(code: SkipCode, where: ToldIn): { readonly what: string; readonly wayOn: string } {
  switch (code) {
    case 'noCandidate':
      return {
        what: 'No replica can be elected now.',
        wayOn: 'Start one of its brokers ([3]), or get a failed directory back ([2]).',
      }
    case 'blocked':
      return {
        what: 'Kafka would make another broker leader.',
        wayOn: 'Stop that broker, wait until it is fenced, then plan again.',
      }
    case 'empty':
      return {
        what: 'The best log that was read has no records, but others may.',
        wayOn: `Start the brokers that were not read; or ${BY_HAND[where]}, and lose what the others hold.`,
      }
    case 'unread':
      return {
        what: 'A replica that is alive and online could not be read: it may be the best.',
        wayOn: `Mend the cause (permission, TLS, address) and read again (ctrl-r); or ${BY_HAND[where]}.`,
      }
    case 'unknownEpoch':
      return {
        what: 'A longer log has records whose leader epochs are unknown: it cannot be compared.',
        wayOn: `Compare start, end and size${SIZES[where]}, and ${BY_HAND[where]}.`,
      }
    case 'contested':
      return {
        what: 'The first by rank would cost another log more than it keeps: two histories.',
        wayOn: `Look at what each choice loses, and ${BY_HAND[where]}.`,
      }
    case 'reassigning':
      return { what: 'A reassignment of it is under way.', wayOn: 'Wait until it is done, or cancel it.' }
    case 'hasLeader':
      return { what: 'It has a leader already.', wayOn: 'Nothing to do.' }
    case 'unknownTopic':
    case 'unknownPartition':
      return { what: 'The cluster does not have it, or does not show it.', wayOn: 'Check the name and permissions.' }
  }
}
