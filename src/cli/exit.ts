import { errorText } from '../text/error-text.js'
/** The exit codes that scripts rely on (cli.md, "Exit codes"). */
export const EXIT = {
  done: 0,
  /** Something failed, was left undone or left to the operator. */
  failed: 1,
  /** Wrong usage or malformed input; nothing was sent. */
  usage: 2,
  /** No broker could be reached, or the login failed. */
  unreachable: 3,
  /** Read-only, not confirmed, a plan of another cluster, an unfinished journal. */
  refused: 4,
} as const

/** An error that ends the command, with its exit code. One line: what, where, what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  constructor(
    readonly exit: number,
    message: string,
  ) {
    super(message)
  }
}

/** Ended by a signal, after tidying up. */
export class InterruptedError extends CliError {
  constructor(signal: keyof typeof SIGNAL_EXITS) {
    super(SIGNAL_EXITS[signal], `ended by ${signal}`)
  }
}

/** 128 + the signal's number, as shells count. */
export const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Errors of other layers, by their name: this module is loaded at every start, theirs are not. */
const EXIT_OF_ERROR: Readonly<Record<string, number>> = {
  InputFileError: EXIT.usage,
  ConfigError: EXIT.usage,
  ScenarioError: EXIT.usage,
  MethodNotOfferedError: EXIT.usage,
  NoBrokerReachableError: EXIT.unreachable,
  ClusterLostError: EXIT.unreachable,
  TransportError: EXIT.unreachable,
  RefusedError: EXIT.refused,
  MixedClustersError: EXIT.refused,
}

export function exitOfError(error: unknown): number {
  if (error instanceof CliError) return error.exit
  return error instanceof Error ? (EXIT_OF_ERROR[error.name] ?? EXIT.failed) : EXIT.failed
}

/** One line, whatever was thrown; never a stack trace. */
export function messageOf(error: unknown): string {
  const text = errorText(error)
  // Several problems (a ConfigError) come as several lines.
  return text.trim().replace(/\s*\n\s*/g, '; ') || 'failed without a reason'
}
