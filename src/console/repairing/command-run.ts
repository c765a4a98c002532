import type { RepairCommandName } from '../../repair/repair-commands.js'
import type { CommandResult } from '../../repair/run-command.js'
import type { RepairTarget } from '../../repair/use-cases/read-repair.js'

/** A command of a repair that runs, or the last one that ran. Immutable. */
export interface CommandRun extends RepairTarget {
  readonly name: RepairCommandName
  readonly argv: readonly string[]
  readonly startedAt: Date
  /** ms */
  readonly timeLimitMs: number
  /** The last lines of its output, not escaped. */
  readonly lines: readonly string[]
  /** How many came before those. */
  readonly before: number
  /** Why it is being ended; null: it is not. */
  readonly stopping: string | null
  /** Null: it runs. */
  readonly result: CommandResult | null
}

/** Lines that the screen keeps; the command's output is bounded in bytes already (SHOWN_BYTES). */
const KEPT = 1_000

/** With lines of its output, several at once. */
export function withLines(run: CommandRun, lines: readonly string[]): CommandRun {
  const all = [...run.lines, ...lines]
  const dropped = Math.max(0, all.length - KEPT)
  return { ...run, lines: dropped === 0 ? all : all.slice(dropped), before: run.before + dropped }
}
