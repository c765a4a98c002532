import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

// Of the bundle that bin/ starts. What the programs do is tested by everything that runs bin/.

/** A copy of the bundle, where no node_modules is in reach. */
let folder: string
let texts: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafka-recovery-bundle-'))
  await cp(join(inject('packageRoot'), 'dist/bundle'), join(folder, 'dist/bundle'), { recursive: true })
  await cp(join(inject('packageRoot'), 'package.json'), join(folder, 'package.json'))
  const names = await readdir(join(folder, 'dist/bundle'))
  const read = async (name: string) => [name, await readFile(join(folder, 'dist/bundle', name), 'utf8')] as const
  texts = new Map(await Promise.all(names.map(read)))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Loads files of the copy, as a program that was started in a given environment; what it writes, which should be nothing. */
async function load(names: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const paths = names.map((name) => join(folder, 'dist/bundle', name))
  const program = `for (const path of ${JSON.stringify(paths)}) await import(path)`
  const { all } = await execa(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, env, all: true })
  return all
}

/** A file, and all that is loaded with it. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, next] of texts.get(name)!.matchAll(/^(?:import|export)\b[^'"\n]*["']\.\/([^"'\n]+)["'];$/gm))
    loadedWith(next!, seen)
  return seen
}

describe('the bundle', () => {
  it('needs no other package: each file of it loads where there is none', async () => {
    expect(texts.size).toBeGreaterThan(20)
    expect(await load([...texts.keys()])).toBe('')
    // What a CommonJS package asks for only when it is used.
    const required = [...texts.values()].flatMap((text) => [...text.matchAll(/\b__require\(["']([^"']+)["']\)/g)])
    const names = required.map(([, name]) => name!.replace(/^node:/, ''))
    expect(names).toContain('crypto')
    expect(names.filter((name) => !builtinModules.includes(name))).toEqual([])
  })

  it('loads a small part of itself before it knows the command', () => {
    const first = [...loadedWith('main.js')]
    expect(first).toContain([...texts.keys()].find((name) => name.startsWith('exit-')))
    expect(first.length).toBeLessThan(10)
    expect(first.reduce((sum, name) => sum + texts.get(name)!.length, 0)).toBeLessThan(30_000)
  })

  it('has the build of React that is fast, and not the other', () => {
    const all = [...texts.values()]
    expect(all.filter((text) => text.includes('react-reconciler.production'))).toHaveLength(1)
    expect(all.filter((text) => /react[\w-]*\.development/.test(text))).toEqual([])
  })

  it('has the console whatever DEV and NODE_ENV are: to libraries they are words of their own developers', async () => {
    const console = [...texts.keys()].filter((name) => name.startsWith('open-console-'))
    expect(console).toHaveLength(1)
    expect(await load(console, { DEV: 'true', NODE_ENV: 'development' })).toBe('')
  })
})
