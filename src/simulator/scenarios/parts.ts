import type { Scenario, ScenarioBroker, ScenarioLog, ScenarioPartition } from '../scenario-schema.js'

/** Shorthand for the named scenarios: what they have in common. */

/** A broker with two log directories, /data/a and /data/b. */
export function broker(id: number, more: Partial<Omit<ScenarioBroker, 'id'>> = {}): ScenarioBroker {
  return { id, logDirs: ['/data/a', '/data/b'], ...more }
}

/** A log from `start` to `end` with that epoch history, in /data/a unless said otherwise. */
export function log(
  start: number,
  end: number,
  epochs: [epoch: number, startOffset: number][],
  more: Partial<ScenarioLog> = {},
): ScenarioLog {
  return { logDir: '/data/a', logStartOffset: start, logEndOffset: end, epochs, ...more }
}

export const EMPTY: ScenarioLog = log(0, 0, [], { highWatermark: 0 })

/** A partition that is well: all replicas in sync, the first one leads. */
export function healthy(
  partition: number,
  assignment: number[],
  end: number,
  epoch = 3,
  isr: number[] = assignment,
): ScenarioPartition {
  const same = log(0, end, [
    [0, 0],
    [epoch, Math.floor(end / 2)],
  ])
  return {
    partition,
    assignment,
    leader: isr[0] ?? -1,
    leaderEpoch: epoch,
    isr,
    elr: [],
    lastKnownElr: [],
    logs: Object.fromEntries(assignment.map((id) => [String(id), same])),
  }
}

/** A partition without a leader; roles are empty unless given. */
export function offline(
  partition: number,
  assignment: number[],
  leaderEpoch: number,
  logs: Record<number, ScenarioLog>,
  roles: Partial<Pick<ScenarioPartition, 'isr' | 'elr' | 'lastKnownElr'>> = {},
): ScenarioPartition {
  return { partition, assignment, leader: -1, leaderEpoch, isr: [], elr: [], lastKnownElr: [], ...roles, logs }
}

export type NamedScenario = Scenario & { readonly teaches: string }
