import { InvalidArgumentError, Option } from 'commander'
import { ACCEPTABLE_CODES, type AcceptableCode } from '../../recovery/planning/plan.js'

/** Parsers of single option values. What they throw becomes a usage error that names option and value. */

/** An integer within these bounds, written in plain digits. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`An integer from ${min} to ${max} is expected.`)
  }
}

/** Milliseconds; timers of Node end at 2^31-1. */
export const milliseconds = integer(1, 2_147_483_647)

/** --accept: codes separated by commas; may be given again. */
export function acceptedCodes(text: string, before: readonly AcceptableCode[] | undefined): AcceptableCode[] {
  const codes = text.split(',').map((code) => {
    const known = ACCEPTABLE_CODES.find((acceptable) => acceptable === code.trim())
    if (known !== undefined) return known
    throw new InvalidArgumentError(`'${code.trim()}' cannot be accepted, only ${ACCEPTABLE_CODES.join(', ')}.`)
  })
  return [...new Set([...(before ?? []), ...codes])]
}

export function repeatable(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text]
}

export function option(flags: string, description: string): Option {
  return new Option(flags, description)
}
