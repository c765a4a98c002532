import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Compiles a program of this repository (with what it imports from src) as it stands now, so that a real process can run it; vitest's own
 * transformation is only good for its own process. `remove` takes it away again.
 */
export async function compiled(entry: URL): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const source = fileURLToPath(entry)
  // Inside node_modules packages are found, and nothing of it is ever committed.
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'pty-test-'))
  const config = join(folder, 'tsconfig.json')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        rootDir: ROOT,
        outDir: folder,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: [],
      files: [source],
    }),
  )
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config])
  return {
    path: join(folder, relative(ROOT, source).replace(/\.tsx?$/, '.js')),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
