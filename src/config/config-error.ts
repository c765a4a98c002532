/**
 * Configuration that cannot be used: raised before anything connects. One line for each problem, all problems at once.
 * No line ever holds a secret, the value of a password setting, or the inside of a placeholder.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** As cli.md says of wrong usage and malformed input. */
  readonly exitCode = 2
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[]) {
    const lines = typeof problems === 'string' ? [problems] : [...problems]
    super(lines.join('\n'))
    this.problems = lines
  }
}

/** The system's own word for why a file could not be used: `does not exist`, `permission denied`. Never the error's text. */
export function fileFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  switch (code) {
    case 'ENOENT':
      return 'does not exist'
    case 'ENOTDIR':
      return 'does not exist (a part of its path is not a directory)'
    case 'EACCES':
    case 'EPERM':
      return 'is not readable (permission denied)'
    case 'EISDIR':
      return 'is a directory, not a file'
    default:
      return code === null ? 'could not be read' : `could not be read (${code})`
  }
}
