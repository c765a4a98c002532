import { stat } from 'node:fs/promises'
import { readInputFile } from '../recovery/files/input-file.js'
import { decodeUtf8 } from '../recovery/files/strict-json.js'
import { parseScenario, type Scenario } from '../simulator/scenario.js'
import { listNamedScenarios, loadNamedScenario } from '../simulator/scenarios/named.js'

/** A scenario file, checked before anything starts. Throws InputFileError or ScenarioError: one line with the place. */
async function readScenarioFile(file: string): Promise<Scenario> {
  return parseScenario(decodeUtf8(await readInputFile(file), file), file)
}

/** A name that comes with the program (`demo --list`); else a file. Throws as readScenarioFile, or names the scenarios there are. */
export async function scenarioNamed(given: string): Promise<Scenario> {
  if (listNamedScenarios().some(({ name }) => name === given)) return loadNamedScenario(given)
  const isThere = await stat(given).then(
    () => true,
    () => false,
  )
  return isThere || given.includes('/') || given.endsWith('.json') ? readScenarioFile(given) : loadNamedScenario(given)
}
