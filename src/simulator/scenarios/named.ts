import { checkScenario, ScenarioError } from '../scenario.js'
import type { Scenario } from '../scenario-schema.js'
import { failingDirectory } from './failing-directory.js'
import {
  designated,
  emptiedLeader,
  failedDirectory,
  longestIsNotBest,
  nobodyCanServe,
  slowAndSilent,
  waitForTheReturn,
} from './lessons.js'
import { nightShift } from './night-shift.js'
import type { NamedScenario } from './parts.js'

/** The first is the demo's. A name is the cluster id without SIMULATED-. */
const NAMED: readonly NamedScenario[] = [
  nightShift,
  longestIsNotBest,
  waitForTheReturn,
  emptiedLeader,
  failingDirectory,
  failedDirectory,
  nobodyCanServe,
  slowAndSilent,
  designated,
]

export interface ScenarioListing {
  readonly name: string
  /** One line. */
  readonly teaches: string
}

function nameOf({ clusterId }: NamedScenario): string {
  return clusterId.replace(/^SIMULATED-/, '')
}

export const DEFAULT_SCENARIO_NAME = nameOf(nightShift)

export function listNamedScenarios(): readonly ScenarioListing[] {
  return NAMED.map((scenario) => ({ name: nameOf(scenario), teaches: scenario.teaches }))
}

/** @throws ScenarioError that lists the names there are */
export function loadNamedScenario(name: string): Scenario {
  const found = NAMED.find((scenario) => nameOf(scenario) === name)
  if (found === undefined) {
    throw new ScenarioError(
      `there is no scenario named ${JSON.stringify(name)}; there are ${NAMED.map(nameOf).join(', ')}`,
    )
  }
  return checkScenario(found, name)
}
