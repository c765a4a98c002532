import { reasonAlone } from '../../recovery/planning/plan-partition.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { codeExplanation } from '../screens/listing/group-words.js'
import type { PlanRow } from './plan-rows.js'

/** Everything that is known of a row, one sentence after the other. */
export function rowDetails(row: Exclude<PlanRow, { kind: 'text' }>, width: number): Line[] {
  const sentences = (texts: readonly string[], token: 'plain' | 'warning' | 'danger') =>
    texts.flatMap((text) => wrapSentence(text, width - 1, '  ').map((part): Line => [' ', span(token, part)]))
  switch (row.kind) {
    case 'elect': {
      const { planned, changed } = row
      const present = planned.evidence.state.replicas
      const order =
        planned.method === 'reorder'
          ? `re-ordered from [${present.join(', ')}] to [${planned.electionOrder.join(', ')}] for the election`
          : `elected as it stands, [${present.join(', ')}]`
      const kafka = planned.kafkaWouldElect === null ? 'nobody' : `broker ${planned.kafkaWouldElect}`
      return [
        ...(changed === null ? [] : sentences([`CHANGED since it was seen, so not elected: ${changed}`], 'danger')),
        ...sentences([`broker ${planned.designatedLeader} leads, ${order}; Kafka alone would take ${kafka}`], 'plain'),
        ...sentences(
          planned.warnings.map(({ code, text }) => `${code}: ${text}`),
          'warning',
        ),
      ]
    }
    case 'left': {
      const { code, reason } = row.skipped
      return [
        ...sentences([`${code}: ${reasonAlone(reason)}`], 'warning'),
        ...(row.overrulable ? sentences(Object.values(codeExplanation(code, 'plan')), 'plain') : []),
      ]
    }
    case 'aside':
      return sentences([row.why], 'plain')
  }
}
