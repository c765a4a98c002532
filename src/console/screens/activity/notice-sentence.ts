import { partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import type { Notice } from '../../../recovery/live/notices.js'
import type { AlarmCode } from '../../../recovery/returns/alarms.js'
import { displayWidth } from '../../../text/display-width.js'
import { terminalText } from '../../../text/terminal-text.js'
import { wholeNumber } from '../../layout/amounts.js'
import { cutMiddle } from '../../layout/cut.js'
import { partitionsText } from '../../planning/plan-words.js'
import type { Token } from '../../theme.js'

/** Names that a whole sentence tells; the others are counted. */
const NAMES = 3

/** What was noticed, as one sentence. Texts from the cluster are in it as they came: they are escaped when drawn. */
export function noticeSentence(notice: Notice): string {
  return sentence(notice, (partitions) => named(partitions, NAMES))
}

/**
 * The same within `width` columns: fewer names, then none, then shorter words. What happened is never cut off; only what is too long in
 * any case, as a text of the system, loses its end.
 */
export function noticeWithin(notice: Notice, width: number, ellipsis: string): string {
  const fits = (text: string) => displayWidth(terminalText(text)) <= width
  const whole = noticeSentence(notice)
  if (fits(whole)) return whole
  const one = partitionsOf(notice)
  const [only] = one
  if (only !== undefined && one.length === 1) {
    const room = width - displayWidth(sentence(notice, () => ''))
    if (room >= LEAST_NAME) return sentence(notice, () => cutMiddle(partitionName(only), room, ellipsis))
  }
  for (let names = Math.min(NAMES, one.length) - 1; names >= 1; names -= 1) {
    const text = sentence(notice, (partitions) => named(partitions, names))
    if (fits(text)) return text
  }
  const counted = sentence(notice, (partitions) => partitionsText(partitions.length))
  return [counted, shorter(notice)].find(fits) ?? short(notice, width, ellipsis)
}

/** A name of fewer columns says less than the number of partitions. */
const LEAST_NAME = 12

function partitionsOf(notice: Notice): readonly TopicPartition[] {
  return 'partitions' in notice ? notice.partitions : []
}

function sentence(notice: Notice, names: (partitions: readonly TopicPartition[]) => string): string {
  switch (notice.kind) {
    case 'leadersCameBack':
      return `${names(notice.partitions)} ${notice.partitions.length === 1 ? 'has' : 'have'} a leader again, broker ${notice.leader}${notice.byItself ? ', by itself' : ', elected here'}.`
    case 'wentOffline':
      return `${names(notice.partitions)} went OFFLINE.`
    case 'vanished':
      return `${names(notice.partitions)} ${notice.partitions.length === 1 ? 'is' : 'are'} not in the cluster any more, or not shown to this user.`
    case 'broker':
      return brokerSentence(notice)
    case 'logDir':
      return notice.now === 'failed'
        ? `Broker ${notice.broker}: a log directory FAILED: ${notice.path}`
        : `Broker ${notice.broker}: a log directory is there again: ${notice.path}`
    case 'alarmRaised':
      return `ALARM: ${notice.text}`
    case 'alarmEnded':
      // It may have ended because its broker was stopped: started too early, that wipes the others all the same.
      return notice.broker === null
        ? 'The alarm ended.'
        : `The alarm about broker ${notice.broker} ended; if it is stopped, start it only as [1] says.`
    case 'alarmCameTrue':
      return `What the alarm warned of has HAPPENED: broker ${notice.broker} leads ${names(notice.partitions)}, and the others lose what it lacks.`
    case 'readFailed':
      return `Reading FAILED: ${notice.text}`
    case 'readWorksAgain':
      return 'Reading works again.'
  }
}

/** The long sentences in fewer words. */
function shorter(notice: Notice): string {
  switch (notice.kind) {
    case 'alarmRaised':
      return notice.broker === null
        ? 'ALARM: no controller quorum.'
        : `ALARM: broker ${notice.broker} ${THREATS[notice.code]}`
    case 'alarmCameTrue':
      return `The alarm's warning has HAPPENED: broker ${notice.broker} leads ${wholeNumber(notice.partitions.length)}; others lose.`
    default:
      return noticeSentence(notice)
  }
}

const THREATS: Readonly<Record<AlarmCode, string>> = {
  emptyLogMayLead: 'is up with an EMPTY log and may wipe others.',
  shorterLogMayLead: 'may become leader and cut longer logs.',
  unreadLogMayLead: 'may become leader, and was not read.',
  noQuorum: 'has no controller quorum.',
}

/** In a few words, for what no smaller number of names makes short. */
function short(notice: Notice, width: number, ellipsis: string): string {
  switch (notice.kind) {
    case 'leadersCameBack': {
      const { partitions, leader, byItself } = notice
      const what = ` led again by ${leader}, ${byItself ? 'by itself' : 'elected here'}.`
      const [only] = partitions
      const room = width - what.length
      const named = only === undefined || partitions.length > 1 || room < LEAST_NAME ? null : partitionName(only)
      return `${named === null ? wholeNumber(partitions.length) : cutMiddle(named, room, ellipsis)}${what}`
    }
    case 'vanished':
      return `${partitionsText(notice.partitions.length)} gone, or not shown any more.`
    case 'alarmRaised':
      return notice.broker === null
        ? 'ALARM: no controller quorum.'
        : `ALARM, broker ${notice.broker}: ${DANGERS[notice.code]}`
    case 'alarmCameTrue':
      return `HAPPENED: ${notice.broker} leads ${wholeNumber(notice.partitions.length)}; others lose.`
    default:
      return noticeSentence(notice)
  }
}

const DANGERS: Readonly<Record<AlarmCode, string>> = {
  emptyLogMayLead: 'EMPTY log, may wipe.',
  shorterLogMayLead: 'short log, may cut.',
  unreadLogMayLead: 'not read, may wipe.',
  noQuorum: 'no controller quorum.',
}

export function noticeToken({ kind }: Notice): Token {
  switch (kind) {
    case 'alarmRaised':
    case 'alarmCameTrue':
      return 'danger'
    case 'wentOffline':
    case 'vanished':
    case 'readFailed':
      return 'warning'
    case 'leadersCameBack':
    case 'alarmEnded':
    case 'readWorksAgain':
      return 'ok'
    case 'broker':
    case 'logDir':
      return 'plain'
  }
}

function brokerSentence({ broker, from, to }: Extract<Notice, { kind: 'broker' }>): string {
  if (to === null) return `Broker ${broker} is in no list of the cluster any more.`
  const was = from === null ? '' : `, was ${from}`
  switch (to) {
    case 'up':
      return `Broker ${broker} is up${was}.`
    case 'fenced':
      return `Broker ${broker} is FENCED${was}.`
    case 'down':
      return `Broker ${broker} is DOWN${was}.`
  }
}

/** "orders-1", "orders-1, orders-2 and 38 more (40 partitions)". */
function named(partitions: readonly TopicPartition[], most: number): string {
  const names = partitions.slice(0, most).map(partitionName)
  if (partitions.length === names.length) {
    const last = names.pop() ?? ''
    return names.length === 0 ? last : `${names.join(', ')} and ${last}`
  }
  return `${names.join(', ')} and ${wholeNumber(partitions.length - names.length)} more (${wholeNumber(partitions.length)} partitions)`
}
