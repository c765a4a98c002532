import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, inject, it } from 'vitest'

/** What of React a program has loaded once the console is there, by file. */
async function loadedBuilds(env: Record<string, string>): Promise<string[]> {
  const program = `await import(${JSON.stringify(join(inject('packageRoot'), 'dist/console/open-console.js'))})
const { createRequire } = await import('node:module')
const { cache } = createRequire(import.meta.url)
const loaded = Object.keys(cache).filter((path) => cache[path].loaded && /react[^/]*\\.(production|development)/.test(path))
console.log(JSON.stringify(loaded))`
  const { NODE_ENV: _, ...inherited } = process.env
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...inherited, ...env },
    extendEnv: false,
  })
  return JSON.parse(stdout) as string[]
}

describe('the build of React that the console draws with', () => {
  it('is the fast one, React and reconciler alike', async () => {
    const loaded = await loadedBuilds({})
    expect(loaded.length).toBeGreaterThan(1)
    expect(loaded.filter((path) => !path.includes('production'))).toEqual([])
  })

  it('is another where somebody asks for it', async () => {
    const loaded = await loadedBuilds({ NODE_ENV: 'development' })
    expect(loaded.filter((path) => !path.includes('development'))).toEqual([])
  })
})
