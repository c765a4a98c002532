import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Root of this run's own build of the package. */
    packageRoot: string
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Tests run the real executables, built from the sources as they are now, in a folder of this run's own: two runs side by side
 * must not change each other's program. Types are checked by `npm run types`, so a type error does not end a test run here.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const packageRoot = await mkdtemp(join(tmpdir(), 'kafka-recovery-built-'))
  await execa(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', join(packageRoot, 'dist')],
    { cwd: root, reject: false },
  )
  for (const name of ['bin', 'package.json']) await cp(join(root, name), join(packageRoot, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(packageRoot, 'node_modules'))
  await execa(process.execPath, [join(root, 'build/bundle.mjs'), join(packageRoot, 'dist')], { cwd: root })
  provide('packageRoot', packageRoot)
  return () => rm(packageRoot, { recursive: true, force: true })
}
