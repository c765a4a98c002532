import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { makeFolder } from '../folders/make-folder.js'
import { ConfigError, fileFailure } from './config-error.js'
import { printable } from './printable.js'

const NAME = 'kafka-recovery'
/** For the owner alone. */
export const FILE_MODE = 0o600

/** Where things are kept between runs; the folders need not exist yet. */
export interface StateFolders {
  readonly journal: string
  readonly reports: string
  /** Holds the file of saved clusters. */
  readonly profiles: string
}

/**
 * `$KAFKA_RECOVERY_HOME` if it is set, else the XDG folders: state for journal and reports, config for profiles. A relative
 * XDG variable is passed over, as the XDG rules say.
 *
 * @throws ConfigError if KAFKA_RECOVERY_HOME is set, but not an absolute path: journals must not depend on where one stands
 */
export function stateFolders(env: Readonly<Record<string, string | undefined>> = process.env): StateFolders {
  const home = env.KAFKA_RECOVERY_HOME
  if (home !== undefined && home !== '') {
    if (!isAbsolute(home)) throw new ConfigError(`KAFKA_RECOVERY_HOME: ${printable(home)}: has to be an absolute path`)
    const root = resolve(home)
    return { journal: join(root, 'journal'), reports: join(root, 'reports'), profiles: root }
  }
  // env-paths puts logs where XDG puts state.
  const paths = envPaths(NAME, { suffix: '' })
  const state = isAbsolute(paths.log) ? paths.log : join(homedir(), '.local', 'state', NAME)
  const profiles = isAbsolute(paths.config) ? paths.config : join(homedir(), '.config', NAME)
  return { journal: join(state, 'journal'), reports: join(state, 'reports'), profiles }
}

/**
 * Makes a folder (mode 0700) and those above it, if they are not there.
 *
 * @throws ConfigError with folder and cause
 */
export function ensureFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'ENOTDIR' && existsSync(folder)
    throw new ConfigError(
      `${printable(folder)}: ${exists ? 'is a file, a folder is needed' : `cannot be made: ${fileFailure(error)}`}; set KAFKA_RECOVERY_HOME to a folder that can be written`,
    )
  }
}
