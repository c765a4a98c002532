import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The rows of every table: the promise, and the names of tests in its second column. */
function promises(): { promise: string; tests: string[] }[] {
  const rows = readFileSync('docs/safety.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
  return rows.map((row) => {
    const cells = row.split('|')
    const tests = [...(cells.at(-2) ?? '').matchAll(/`([^`]+)`/g)].map((found) => String(found[1]))
    return { promise: (cells[1] ?? '').trim(), tests: tests.filter((name) => !name.startsWith('npm ')) }
  })
}

const files = readdirSync('test', { recursive: true }).map((name) => String(name))

// `crash/kill(.long)` is two files; two asterisks are any folder or, at the end, any file.
function expected(name: string): RegExp[] {
  const base = name.replace(/\(\.long\)$/, '')
  const path = base.replace(/[.]/g, '\\.').replace('/**/', '/(?:.+/)?').replace(/\*\*$/, '.+')
  const endings = base === name ? [''] : ['', '\\.long']
  return endings.map((ending) => new RegExp(`^${path}${ending}\\.test\\.tsx?$`))
}

describe('docs/safety.md', () => {
  it('names a test for each promise, and each is there', () => {
    const rows = promises()
    expect(rows.length).toBeGreaterThan(20)
    const missing: string[] = []
    for (const { promise, tests } of rows) {
      if (tests.length === 0) missing.push(`no test: ${promise}`)
      for (const name of tests) {
        for (const pattern of expected(name)) {
          if (!files.some((file) => pattern.test(file))) missing.push(`${pattern}: ${promise}`)
        }
      }
    }
    expect(missing).toEqual([])
  })
})
