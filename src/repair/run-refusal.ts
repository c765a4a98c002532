import { otherFailedLines } from './other-failed.js'
import type { RepairCommandName } from './repair-commands.js'
import { gateText } from './repair-lines.js'
import { type RepairStep, type RepairWay, toElect } from './repair-step.js'
import type { RepairReading } from './use-cases/read-repair.js'

export interface RunAsked {
  readonly reading: RepairReading
  /** Of the way that is taken. */
  readonly steps: readonly RepairStep[]
  /** The way that was named by the operator; null: none was. To keep the old disk has to be said: it cannot be seen from here. */
  readonly way: RepairWay | null
  readonly readOnly: boolean
  /** The operator has typed that the old disk is back in place, after it was seen emptied. Left out: no. */
  readonly oldDiskBack?: boolean
  /** How the front end names the ways and steps, for advice. */
  readonly words: { readonly step: string; readonly keep: string; readonly replace: string; readonly elect: string }
}

/**
 * Why one of the profile's commands must not be run as things stand, one line; null: it may. To look at the disk is allowed always. Looked at
 * before the operator is asked, and once more after: that may have taken minutes.
 */
export function runRefusal(
  name: RepairCommandName,
  { reading, steps, way, readOnly, oldDiskBack, words }: RunAsked,
): string | null {
  if (name === 'checkDisk') return null
  if (readOnly) return `${words.step}: this is read-only`
  const { broker, impact, gate, brokerState } = reading
  if (impact.noGoAhead !== null) return impact.noGoAhead
  if (name === 'stop') return brokerState === 'down' ? `broker ${broker} is down already` : null
  // With its old disk it brings back what nobody else has.
  if (way === 'keep') {
    if (gate.alarms.length > 0) return gateText(reading).join('; ')
    const emptied = reading.otherFailed.filter((other) => other.emptied === true && other.holds > 0)
    if (emptied.length > 0) return otherFailedLines(emptied, broker).join('; ')
    if (reading.seenEmptiedAt === null) return null
    if (oldDiskBack !== true) {
      return `broker ${broker} was up with emptied replicas of this directory before: its disk is not the old one. Take the steps of ${words.replace}, or start it by hand once the old disk is back`
    }
    // Nobody sees the disk from here: what is said of it opens no gate.
  }
  if (name === 'restart') {
    return `${words.step} goes only with ${words.keep}, for a directory that is left as it is: else stop it, and start it once the gate is open`
  }
  if (brokerState !== 'down') return `broker ${broker} is ${brokerState}: stop it first`
  const start = steps.find(({ id }) => id === 'start')
  if (gate.open && start?.status !== 'blocked') return null
  const elect = toElect(gate).length > 0 ? `; first ${words.elect}` : ''
  const others = otherFailedLines(
    reading.otherFailed.filter(({ holds }) => holds > 0),
    broker,
  )
  // A disk whose log was seen empty is not the old one.
  const keep = reading.seenEmptiedAt === null ? ` (with the OLD disk in place: ${words.keep})` : ''
  const shut = [...(gate.open ? [] : gateText(reading)), ...others]
  return `the gate is shut: ${shut.join('; ')}${elect}${keep}`
}

/**
 * Why nothing is elected for the gate now, one line; null: it may be. Only while the broker is away: what it led last could otherwise come back
 * to it in the middle.
 */
export function electRefusal({ broker, brokerState, gate }: RepairReading): string | null {
  if (toElect(gate).length === 0) {
    return gate.holds.length === 0
      ? 'Nothing to elect: no partition waits for it.'
      : 'Nothing to elect: nobody else has a copy of what keeps the gate shut.'
  }
  if (brokerState === 'down') return null
  return `broker ${broker} is ${brokerState}: stop it first, and wait until it is down`
}

/** What has to be typed before a command is run: it says which broker, and with which disk. */
export function runConfirmation(name: RepairCommandName, broker: number, way: RepairWay): string {
  return keepsDisk(name, way) ? `${name} broker ${broker} with its old disk` : `${name} broker ${broker}`
}

/** Started with the directory as it was. */
export function keepsDisk(name: RepairCommandName, way: RepairWay): boolean {
  return way === 'keep' && (name === 'start' || name === 'restart')
}
