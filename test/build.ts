import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.built')

/**
 * Tests run the real executables, which need dist/. Built anew where a source file is newer than the last build; types are
 * checked by `npm run types`, not here.
 */
export async function setup(): Promise<void> {
  const built = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
  const newest = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, { parentPath, name }) => Math.max(latest, statSync(join(parentPath, name)).mtimeMs), 0)
  if (built >= newest) return
  const started = new Date()
  await execa('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, reject: false })
  writeFileSync(stamp, '')
  utimesSync(stamp, started, started)
}
