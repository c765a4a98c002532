import { describeIssue } from '../scenario.js'
import { eventSchema, type ScenarioEvent } from '../scenario-schema.js'
import { CONTROL_ACTIONS, type ControlActionName } from './control-actions.js'

/** A line that asks for nothing that could happen; the message is one line. */
export class ControlWordsError extends Error {
  override readonly name = 'ControlWordsError'
}

type Values = readonly string[]
type Unchecked = Readonly<Record<string, unknown>>

const broker = (text = '') => number(text, 'a broker id')
const directory = ([id, path]: Values) => ({ broker: broker(id), path })

/** Unchecked: the schema of events does that. */
const EVENTS: Readonly<Record<ControlActionName, (values: Values) => Unchecked>> = {
  'fail-dir': (values) => ({ failLogDir: directory(values) }),
  'replace-dir': (values) => ({ replaceLogDir: directory(values) }),
  'remove-dir': (values) => ({ removeLogDir: directory(values) }),
  'stop-broker': ([id]) => ({ brokerDown: broker(id) }),
  'kill-broker': ([id]) => ({ brokerDown: { broker: broker(id), kill: true } }),
  'start-broker': ([id]) => ({ brokerUp: broker(id) }),
  'fence-broker': ([id]) => ({ brokerFenced: broker(id) }),
  append: ([topic, partition = '', records = '']) => ({
    appendRecords: {
      topic,
      partition: number(partition, 'a partition'),
      records: number(records, 'a number of records'),
    },
  }),
  event: ([text = '']) => json(text),
}

/**
 * The event that these words ask for: the name of an action and what it takes. Whether the cluster has such a broker, directory or topic is not
 * looked at.
 * @throws ControlWordsError
 */
export function eventOfWords([name = '', ...values]: Values): ScenarioEvent {
  const action = CONTROL_ACTIONS.find((one) => one.name === name)
  if (action === undefined) {
    throw new ControlWordsError(
      `${JSON.stringify(name)} is no action; there are: ${CONTROL_ACTIONS.map((one) => one.name).join(', ')}`,
    )
  }
  if (values.length !== action.takes.length) {
    throw new ControlWordsError(`${values.length} values for ${name}: write ${[name, ...action.takes].join(' ')}`)
  }
  const parsed = eventSchema.safeParse(EVENTS[action.name](values))
  if (!parsed.success) throw new ControlWordsError(`${name}: ${describeIssue(parsed.error, 'the event')}`)
  return parsed.data
}

function number(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ControlWordsError(`${JSON.stringify(text)} is not ${what}`)
  return Number(text)
}

function json(text: string): Unchecked {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ControlWordsError(`event: not JSON: ${JSON.stringify(text.slice(0, 80))}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlWordsError('event: a JSON object is expected, as in {"brokerUp":1}')
  }
  return { ...value }
}
