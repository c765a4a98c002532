import { CliError, EXIT, exitOfError, messageOf } from './exit.js'
import { leaveProcess } from './leave.js'
import type { BuildProgram } from './programs/program.js'

const PROGRAMS: Readonly<Record<string, () => Promise<BuildProgram>>> = {
  'kafka-recovery': async () => (await import('./programs/kafka-recovery.js')).kafkaRecovery,
  'kafka-unclean-recovery': async () => (await import('./programs/kafka-unclean-recovery.js')).kafkaUncleanRecovery,
}

/**
 * The one entrance and the one exit of both executables. `argv` without node and script. Whatever happens: with --json one
 * document on stdout, else one line on stderr for an error, the exit code from exit.ts, and never a stack trace.
 */
export async function main(
  program: 'kafka-recovery' | 'kafka-unclean-recovery',
  argv: readonly string[],
): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    // Answered before the argument parser and the rest are loaded.
    const { packageVersion } = await import('./version.js')
    // Whoever does not read it (`| true`, a full disk) gets no stack trace.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = EXIT.failed
    })
    process.stdout.write(`${packageVersion()}\n`)
    return
  }
  const [{ processOutput }, { listenForSignals }, { keepMemoryLow }] = await Promise.all([
    import('./output.js'),
    import('./interruption.js'),
    import('./memory.js'),
  ])
  keepMemoryLow()
  const output = processOutput(asksForJson(argv))
  const interruption = listenForSignals()
  let exit: number
  try {
    const build = await PROGRAMS[program]?.()
    const { runProgram } = await import('./programs/program.js')
    if (build === undefined) throw new CliError(EXIT.usage, `${program} is no program of this package`)
    exit = await runProgram(build, { output, interruption, program }, argv)
    exit = interruption.exit ?? exit
  } catch (error) {
    exit = interruption.exit ?? exitOfError(error)
    const told = messageOf(error)
    // A refusal comes before anything that writes: it says so.
    const message = exit === EXIT.refused && !/\bnothing\b/.test(told) ? `${told}; nothing was sent` : told
    if (!output.json) output.note(`${program}: ${message}`)
    else if (!output.hasDocument) output.document({ error: { exit, message } })
    else output.note(`${program}: ${message}`)
  }
  await output.flushed()
  if (output.failure !== null) {
    output.note(`${program}: stdout cannot be written (${output.failure})`)
    exit ||= EXIT.failed
  }
  // Not left to the event loop: a connection to a broker that never answers must not keep the command alive.
  leaveProcess(exit)
}

/** Looked for before parsing: a usage error is told as JSON too. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}
