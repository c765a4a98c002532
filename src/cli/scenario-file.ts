import { readInputFile } from '../recovery/files/input-file.js'
import { decodeUtf8 } from '../recovery/files/strict-json.js'
import { parseScenario, type Scenario } from '../simulator/scenario.js'

/** A scenario file, checked before anything starts. Throws InputFileError or ScenarioError: one line with the place. */
export async function readScenarioFile(file: string): Promise<Scenario> {
  return parseScenario(decodeUtf8(await readInputFile(file), file), file)
}
