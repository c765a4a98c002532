import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { ConfigError } from '../../src/config/config-error.js'
import { type ResolvedConnection, resolveConnection } from '../../src/config/resolve-connection.js'

export const CASES = fileURLToPath(new URL('../cases/properties', import.meta.url))
export const STORES = fileURLToPath(new URL('./fixtures/stores', import.meta.url))

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-recovery-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Resolves a connection with these properties as its command config. Relative paths start in `workingDirectory`. */
export async function connectionOf(
  lines: readonly string[],
  workingDirectory: string = temporaryFolder(),
  env: Record<string, string> = {},
): Promise<ResolvedConnection> {
  const file = join(workingDirectory, 'client.properties')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return resolveConnection(
    { bootstrapServer: 'h:1', commandConfigFile: 'client.properties', brokerEndpoints: [], readOnly: false },
    { env, workingDirectory },
  )
}

/** The problems that a connection is refused for; fails if it is not refused. */
export async function problemsOf(connection: Promise<unknown>): Promise<readonly string[]> {
  try {
    await connection
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  throw new Error('it was not refused')
}
