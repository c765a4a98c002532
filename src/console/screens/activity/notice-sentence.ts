import { partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import type { Notice } from '../../../recovery/live/notices.js'
import { wholeNumber } from '../../layout/amounts.js'
import type { Token } from '../../theme.js'

/** What was noticed, as one sentence. Texts from the cluster are in it as they came: they are escaped when drawn. */
export function noticeSentence(notice: Notice): string {
  switch (notice.kind) {
    case 'leadersCameBack':
      return `${named(notice.partitions)} ${notice.partitions.length === 1 ? 'has' : 'have'} a leader again, broker ${notice.leader}${notice.byItself ? ', by itself' : ', elected here'}.`
    case 'wentOffline':
      return `${named(notice.partitions)} went OFFLINE.`
    case 'vanished':
      return `${named(notice.partitions)} ${notice.partitions.length === 1 ? 'is' : 'are'} not in the cluster any more, or not shown to this user.`
    case 'broker':
      return brokerSentence(notice)
    case 'logDir':
      return notice.now === 'failed'
        ? `Log directory ${notice.path} on broker ${notice.broker} FAILED.`
        : `Log directory ${notice.path} on broker ${notice.broker} is there again.`
    case 'alarmRaised':
      return `ALARM: ${notice.text}`
    case 'alarmEnded':
      return `The alarm${notice.broker === null ? '' : ` about broker ${notice.broker}`} ended.`
    case 'alarmCameTrue':
      return `What the alarm warned of has HAPPENED: broker ${notice.broker} leads ${named(notice.partitions)}, and the others lose what it lacks.`
    case 'readFailed':
      return `Reading FAILED: ${notice.text}`
    case 'readWorksAgain':
      return 'Reading works again.'
  }
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
function named(partitions: readonly TopicPartition[]): string {
  const names = partitions.slice(0, 3).map(partitionName)
  if (partitions.length === names.length) {
    const last = names.pop() ?? ''
    return names.length === 0 ? last : `${names.join(', ')} and ${last}`
  }
  return `${names.join(', ')} and ${wholeNumber(partitions.length - names.length)} more (${wholeNumber(partitions.length)} partitions)`
}
