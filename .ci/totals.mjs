// Ends the check: what failed is told once more, since of a long output often only the end is kept; then the line "N passed, N failed".
//
//   node .ci/totals.mjs FOLDER [FAILED-STEP...]      FOLDER: vitest's JSON reports, each named after its npm script

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Of one failure; a property's counterexample can fill pages. */
const MAX_LINES = 40
const MAX_CHARS = 4_000

const [folder, ...failedSteps] = process.argv.slice(2)
let passed = 0
let failed = 0
/** Scripts of which a failure was told. */
const explained = new Set()

for (const report of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const script = report.slice(0, -'.json'.length)
  const run = JSON.parse(readFileSync(join(folder, report), 'utf8'))
  passed += run.numPassedTests
  for (const file of run.testResults) {
    const failures = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of failures) tell(script, file, test.fullName, test.failureMessages)
    // A file that does not even load, or whose preparation fails, has no failed test.
    const none = file.status === 'failed' && failures.length === 0
    if (none) tell(script, file, 'the file itself', [file.message])
    failed += failures.length + (none ? 1 : 0)
    if (failures.length > 0 || none) explained.add(script)
  }
}
// Steps are named after their script ("npm run test:long"). The others: steps that are no test runs, a run that ended without its report, an error outside of any test.
const unexplained = failedSteps.filter((step) => !explained.has(step.split(' ').at(-1)))
for (const step of unexplained) console.log(`FAILED: ${step}: see its output above`)
console.log(`${passed} passed, ${failed + unexplained.length} failed`)

function tell(script, file, test, messages) {
  const lines = messages.join('\n').slice(0, MAX_CHARS).split('\n').slice(0, MAX_LINES)
  console.log(`FAILED: ${script}: ${relative(process.cwd(), file.name)}: ${test}`)
  for (const line of lines) console.log(`    ${line}`)
}
