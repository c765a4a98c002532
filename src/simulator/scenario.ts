import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser'
import type { z } from 'zod'
import { firstMistake } from './scenario-checks.js'
import { type Scenario, scenarioSchema } from './scenario-schema.js'
import { SERVED_API_NAMES } from './server/api-table.js'

export type { Scenario, ScenarioEvent, TimedEvent } from './scenario-schema.js'

/** A scenario file that can not be used. The message is one line: file, place, what is wrong. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

/** Deeper than any scenario; a parser must not run out of stack on hostile nesting. */
const MAX_DEPTH = 50

/**
 * Reads a scenario file.
 * @param fileName for messages only
 * @throws ScenarioError with one line: `FILE:line:column: ...` for what is no JSON, `FILE: JSON.path: ...` for the rest
 */
export function parseScenario(text: string, fileName: string): Scenario {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const problem = syntaxProblem(source)
  if (problem !== null) {
    const before = source.slice(0, problem.offset).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    throw new ScenarioError(`${fileName}:${before.length}:${column}: ${problem.text}`)
  }
  return checkScenario(JSON.parse(source), fileName)
}

/** Checks a scenario that was made by a program rather than read from a file. */
export function checkScenario(value: unknown, fileName: string): Scenario {
  const parsed = scenarioSchema.safeParse(value)
  if (!parsed.success) throw new ScenarioError(`${fileName}: ${describeIssue(parsed.error)}`)
  const mistake = firstMistake(parsed.data, SERVED_API_NAMES)
  if (mistake !== null) throw new ScenarioError(`${fileName}: ${mistake.path}: ${mistake.problem}`)
  return parsed.data
}

interface SyntaxProblem {
  readonly offset: number
  readonly text: string
}

/** The first thing in the text that is no JSON, or a key that is there twice. */
function syntaxProblem(source: string): SyntaxProblem | null {
  if (source.trim() === '') return { offset: 0, text: 'the file is empty; a scenario is a JSON object' }
  const problems: SyntaxProblem[] = []
  const keys: Set<string>[] = []
  if (deepestNesting(source) > MAX_DEPTH) return { offset: 0, text: `nested deeper than ${MAX_DEPTH} levels` }
  visit(
    source,
    {
      onObjectBegin() {
        keys.push(new Set())
      },
      onObjectEnd() {
        keys.pop()
      },
      onObjectProperty(key, offset) {
        const own = keys.at(-1)
        if (own?.has(key)) problems.push({ offset, text: `key ${JSON.stringify(key)} is there twice in one object` })
        own?.add(key)
      },
      onError(error: ParseError['error'], offset) {
        problems.push({ offset, text: `not JSON: ${words(printParseErrorCode(error))}` })
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  )
  const first = problems.sort((a, b) => a.offset - b.offset)[0]
  if (first !== undefined) return first
  // What the tolerant parser lets through and JSON.parse does not.
  try {
    JSON.parse(source)
    return null
  } catch {
    return { offset: 0, text: 'not JSON' }
  }
}

/** Brackets outside of strings, without recursion. */
function deepestNesting(source: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < source.length; index++) {
    const character = source[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

/** `ValueExpected` as words. */
function words(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, (_, left: string, right: string) => `${left} ${right.toLowerCase()}`)
    .toLowerCase()
}

/** The first issue as `path: what is wrong`; `whole` stands for the empty path. */
export function describeIssue(error: z.ZodError, whole = 'the file'): string {
  const issue = innermost(error.issues)
  if (issue === undefined) return 'is no scenario'
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(', ')
    return `${jsonPath([...issue.path, ...issue.keys.slice(0, 1)], whole)}: unknown key ${keys}`
  }
  return `${jsonPath(issue.path, whole)}: ${issue.message}`
}

/** Of a choice between forms, the issue of the form that came nearest. */
function innermost(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [issue] = issues
  if (issue?.code !== 'invalid_union') return issue
  const nested = issue.errors
    .map((branch) => innermost(branch))
    .filter((one) => one !== undefined)
    .sort((a, b) => b.path.length - a.path.length)[0]
  const unknown = issue.errors.flat().find((one) => one.code === 'unrecognized_keys')
  const best = nested !== undefined && nested.path.length > 0 ? nested : (unknown ?? issue)
  return best === issue
    ? { ...issue, message: 'has none of the forms that are allowed here' }
    : { ...best, path: [...issue.path, ...best.path] }
}

/** `topics[0].partitions[2].isr`; keys that are no plain names are quoted. */
export function jsonPath(path: readonly PropertyKey[], whole = 'the file'): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (typeof part === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(part)) text += text === '' ? part : `.${part}`
    else text += `[${JSON.stringify(String(part))}]`
  }
  return text === '' ? whole : text
}
