import { ErrorCode } from '../protocol/error-codes.js'
import type { ScenarioFault } from './scenario-schema.js'
import type { NamedPartition } from './server/api.js'

/** A request as faults see it. */
export interface FaultTarget {
  readonly broker: number
  readonly api: string
  /** Null: it names no partitions, or all. */
  readonly partitions: readonly NamedPartition[] | null
  /** Topics that it names without partitions. */
  readonly topics: 'all' | ReadonlySet<string>
}

/** What the faults that match one request make of it. */
export interface FaultEffect {
  /** Takes the place of acting on the whole request; 0: none. */
  readonly error: number
  /** For one partition, or with partition -1 for the topic as a whole; 0: none. */
  errorFor(topic: string, partition: number): number
  /** Infinity: never. */
  readonly delayMs: number
  readonly close: boolean
  /** Whether the request is acted on before the connection closes. */
  readonly takesEffect: boolean
  readonly throttleMs: number
  readonly requestLimit: number | null
  readonly malformed: NonNullable<ScenarioFault['malformed']> | null
  readonly answered: NonNullable<ScenarioFault['answered']> | null
}

interface ArmedFault {
  readonly fault: ScenarioFault
  left: number
}

/**
 * Faults on demand (scenario.md). A fault counts down its `times` at each request that it matches: broker, api and, if it has a
 * topic, a request that names that topic and partition. Several may match; errors of the first one win, delays add up.
 */
export class Faults {
  readonly #armed: ArmedFault[]
  readonly #now: () => number

  /** @param now ms since the simulation began */
  constructor(faults: readonly ScenarioFault[], now: () => number) {
    this.#armed = faults.map(arm)
    this.#now = now
  }

  /** One more, from now on; its `afterMs` counts from the start of the simulation as in a file. */
  add(fault: ScenarioFault): void {
    this.#armed.push(arm(fault))
  }

  clear(): void {
    this.#armed.length = 0
  }

  /** Matches one request, and counts it. */
  take(target: FaultTarget): FaultEffect | null {
    if (this.#armed.length === 0) return null
    const now = this.#now()
    const matching = this.#armed.filter(
      ({ fault, left }) => left > 0 && (fault.afterMs ?? 0) <= now && matches(fault, target),
    )
    if (matching.length === 0) return null
    for (const armed of matching) armed.left -= 1
    return effectOf(matching.map(({ fault }) => fault))
  }
}

function arm(fault: ScenarioFault): ArmedFault {
  return { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
}

function matches(fault: ScenarioFault, target: FaultTarget): boolean {
  if (fault.broker !== undefined && fault.broker !== target.broker) return false
  if (fault.api !== undefined && fault.api !== '*' && fault.api !== target.api) return false
  if (fault.topic === undefined) return true
  const { topic, partition } = fault
  if (target.topics === 'all' || target.topics.has(topic)) return true
  return (target.partitions ?? []).some(
    (named) => named.topic === topic && (partition === undefined || named.partition === partition),
  )
}

function effectOf(faults: readonly ScenarioFault[]): FaultEffect {
  const whole = faults.find((fault) => fault.error !== undefined && fault.topic === undefined)
  const partial = faults.filter((fault) => fault.error !== undefined && fault.topic !== undefined)
  const limits = faults.flatMap(({ requestLimit }) => (requestLimit === undefined ? [] : [requestLimit]))
  const closing = faults.filter(({ closeConnection }) => closeConnection === true)
  return {
    error: whole?.error ?? ErrorCode.NONE,
    errorFor(topic, partition) {
      const found = partial.find(
        (fault) =>
          fault.topic === topic && (fault.partition === undefined || fault.partition === partition || partition === -1),
      )
      return found?.error ?? ErrorCode.NONE
    },
    delayMs: faults.some(({ silent }) => silent === true)
      ? Number.POSITIVE_INFINITY
      : faults.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0),
    close: closing.length > 0,
    takesEffect: closing.length === 0 || closing.some(({ takesEffect }) => takesEffect === true),
    throttleMs: Math.max(0, ...faults.map(({ throttleMs }) => throttleMs ?? 0)),
    requestLimit: limits.length === 0 ? null : Math.min(...limits),
    malformed: faults.find(({ malformed }) => malformed !== undefined)?.malformed ?? null,
    answered: faults.find(({ answered }) => answered !== undefined)?.answered ?? null,
  }
}
