import { Argument, Command } from 'commander'
import { CONTROL_ACTIONS } from '../../simulator/control/control-actions.js'
import type { ConsoleOptions } from '../commands/console.js'
import { type CommandHandler, handledBy } from '../context.js'
import { CliError, EXIT } from '../exit.js'
import { withAll, withConnection, withJson } from '../options/connection.js'
import { withElectionMethod, withRecovery, withRecoveryDuration, withSelection } from '../options/recovery.js'
import { integer, milliseconds, option, repeatable } from '../options/values.js'
import { packageVersion } from '../version.js'
import type { BuildProgram } from './program.js'

/**
 * kafka-recovery's commands: the one place that names them and their options. What a command does is loaded when it runs;
 * shell completions and the help are made from this.
 */
export const kafkaRecovery: BuildProgram = (context, finish) => {
  const program = new Command('kafka-recovery')
    .description('See, compare, choose and elect: recovery of offline Kafka partitions and failed log directories.')
    .version(packageVersion())
    .argument('[command]')
    .usage('[options] | COMMAND [options]')
    .helpCommand(true)
    // The console's options are the program's own: those behind a command are that command's.
    .enablePositionalOptions()
  const run = <Options>(command: Command, load: () => Promise<CommandHandler<Options>>) =>
    command.action(handledBy(context, load, finish))

  withElectionMethod(withScreen(withConnection(program))).action(
    async (word: string | undefined, options: ConsoleOptions) => {
      const names = visibleCommands(program).map((command) => command.name())
      if (word !== undefined || process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
        throw new CliError(EXIT.usage, noCommand(word, names))
      }
      finish(await (await import('../commands/console.js')).openConsoleCommand(context, options, []))
    },
  )

  run(
    withAll(withJson(withConnection(program.command('status'))))
      .description('brokers, offline partitions, failed log directories, partitions under min ISR, alarms')
      .addOption(option('--watch', 'again and again, until ended'))
      .addOption(option('--until-healthy', 'again and again, until nothing is wrong'))
      .addOption(option('--exit-code', 'exit 1 when anything is wrong')),
    async () => (await import('../commands/status.js')).status,
  )
  run(
    withRecoveryDuration(withAll(withJson(withConnection(withSelection(program.command('replicas'))))))
      .description("every replica's log of the chosen partitions, side by side")
      .addArgument(partitions()),
    async () => (await import('../commands/replicas.js')).replicas,
  )
  run(
    withRecovery(withAll(withJson(withConnection(withSelection(program.command('plan'))))))
      .description('choose leaders for the chosen partitions; sends nothing that writes')
      .addOption(option('--output <file>', 'a new file for the plan, for elect --plan'))
      .addArgument(partitions()),
    async () => (await import('../commands/plan.js')).plan,
  )
  run(
    withRecovery(withAll(withJson(withConnection(program.command('elect')))))
      .description('apply a plan')
      .addOption(option('--plan <file>', "a plan, or KIP-1275's plain file of designated leaders"))
      .addOption(
        option('--leader <topic-partition=broker>', 'a leader chosen by hand, instead of a file; repeatable').argParser(
          repeatable,
        ),
      )
      .addOption(option('--yes', 'do not ask')),
    async () => (await import('../commands/elect.js')).elect,
  )
  run(
    withAll(withJson(withConnection(program.command('log-dirs')))).description(
      "every broker's log directories: state, space, what is offline because of them",
    ),
    async () => (await import('../commands/log-dirs.js')).logDirs,
  )
  run(
    withAll(withJson(withConnection(program.command('repair'))))
      .description('guide the repair of a failed log directory, step by step')
      .addOption(option('--broker <id>', 'the broker').argParser(integer(0, 2_147_483_647)).makeOptionMandatory())
      .addOption(option('--log-dir <path>', 'its log directory; left out: all of it that failed are listed'))
      .addOption(
        option('--way <way>', 'keep the directory, replace the disk, or remove it from log.dirs').choices([
          'keep',
          'replace',
          'remove',
        ]),
      )
      .addOption(
        option('--run <step>', "do this step from here: the profile's command for it, or the election").choices([
          'checkDisk',
          'stop',
          'elect',
          'start',
          'restart',
        ]),
      )
      .addOption(
        option(
          '--write-off <topic-partition>',
          'give this one up: it no longer keeps the gate shut; repeatable',
        ).argParser(repeatable),
      )
      .addOption(option('--watch', 'watch the return until all is in sync'))
      .addOption(option('--dry-run', 'with --run: show what would be done'))
      .addOption(option('--yes', 'do not ask'))
      .addOption(
        option('--time-limit-ms <n>', 'with --run: the most that the step may take')
          .argParser(milliseconds)
          .default(300_000),
      ),
    async () => (await import('../commands/repair.js')).repair,
  )
  run(
    withJson(withConnection(program.command('check'))).description(
      'what this cluster offers and allows, and which permissions are missing',
    ),
    async () => (await import('../commands/check.js')).check,
  )
  run(
    withAll(withJson(withConnection(program.command('restore'))))
      .description('put back the assignments that an interrupted run left re-ordered')
      .addOption(option('--yes', 'do not ask')),
    async () => (await import('../commands/restore.js')).restore,
  )
  run(
    withJson(program.command('simulate'))
      .description('start a simulated cluster and run until ended')
      .requiredOption('--scenario <name|file>', 'the cluster: a scenario file, or a name of demo --list')
      .addOption(option('--request-log <file>', 'append one JSON line for each request'))
      .addOption(option('--port <n>', 'of the first broker; the others follow').argParser(integer(1, 65_535)))
      .addOption(option('--control-port <n>', 'for simulate-control; else a free one').argParser(integer(1, 65_535))),
    async () => (await import('../commands/simulate.js')).simulate,
  )
  run(
    withJson(program.command('simulate-control'))
      .description('make something happen to a simulated cluster that runs in another shell')
      .requiredOption('--control <127.0.0.1:port>', 'the control port, as simulate printed it')
      .addArgument(new Argument('<action>', 'what shall happen').choices(CONTROL_ACTIONS.map(({ name }) => name)))
      .addArgument(new Argument('[values...]', 'what the action takes'))
      .addHelpText('after', controlHelp()),
    async () => (await import('../commands/simulate-control.js')).simulateControl,
  )
  run(
    withScreen(withJson(program.command('demo')))
      .description('a recovery from beginning to end on a simulated cluster')
      .addOption(option('--scenario <name|file>', 'which simulated cluster'))
      .addOption(option('--list', 'name the scenarios that come with this program')),
    async () => (await import('../commands/demo.js')).demo,
  )
  profiles(program.command('profiles').description('saved clusters; never a secret'), run)
  run(
    program
      .command('completion')
      .description('shell completions, to be sourced')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish'])),
    async () => (await import('../commands/completion.js')).completion,
  )
  // Last, for commands inherit it: a word that is no command is told as such, whatever follows it.
  return program.allowExcessArguments()
}

/** How the console reads and looks. */
function withScreen(command: Command): Command {
  return command
    .addOption(option('--refresh-ms <n>', 'time between reads of what is wrong').argParser(integer(200, 3_600_000)))
    .addOption(option('--ascii', 'no characters beyond ASCII'))
}

/** Of `profiles add`. */
const REPAIR_COMMANDS_HELP = `
Commands for repair are run on this machine, without a shell, after they were shown whole and confirmed.
{host}, {broker} and {logDir} are filled in. Words are parted at spaces; where one holds a space or a
quote, give a JSON list. Never a secret: let the command read it itself.
  --repair-stop 'ssh {host} sudo systemctl stop kafka'
  --repair-check-disk '["ssh","{host}","sudo dmesg | tail; df {logDir}"]'`

type Run = <Options>(command: Command, load: () => Promise<CommandHandler<Options>>) => void

function profiles(group: Command, run: Run): void {
  const name = () => new Argument('<name>', 'the profile')
  run(
    withJson(group.command('list')).description('all saved clusters'),
    async () => (await import('../commands/profiles.js')).listProfiles,
  )
  run(
    withJson(group.command('show')).description('one saved cluster').addArgument(name()),
    async () => (await import('../commands/profiles.js')).showProfile,
  )
  run(
    withJson(group.command('add'))
      .description('save a cluster')
      .addArgument(name())
      .addOption(option('--bootstrap-server <host:port,...>', 'brokers to begin with'))
      .addOption(option('--command-config <file>', 'path of the properties file; only the path is saved'))
      .addOption(option('--label <text>', 'shown instead of the name'))
      .addOption(option('--color <color>', 'shown with the name'))
      .addOption(option('--read-only', 'refuse every writing request'))
      .addOption(
        option('--broker-endpoint <id=host:port>', 'reach this broker there; repeatable').argParser(repeatable),
      )
      .addOption(option('--repair-check-disk <command>', "for repair --run checkDisk: looks at a broker's disk"))
      .addOption(option('--repair-stop <command>', 'for repair --run stop: stops a broker'))
      .addOption(option('--repair-start <command>', 'for repair --run start: starts it again'))
      .addOption(option('--repair-restart <command>', 'for repair --run restart: does both'))
      .addHelpText('after', REPAIR_COMMANDS_HELP),
    async () => (await import('../commands/profiles.js')).addProfile,
  )
  run(
    withJson(group.command('remove')).description('forget a saved cluster').addArgument(name()),
    async () => (await import('../commands/profiles.js')).removeProfile,
  )
}

function controlHelp(): string {
  const actions = CONTROL_ACTIONS.map(({ name, takes, does }) => ({ words: [name, ...takes].join(' '), does }))
  const width = Math.max(...actions.map(({ words }) => words.length))
  return ['', 'Actions:', ...actions.map(({ words, does }) => `  ${words.padEnd(width)}  ${does}`)].join('\n')
}

function partitions(): Argument {
  return new Argument('[topic-partition...]', 'split at the last dash')
}

function visibleCommands(program: Command): readonly Command[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help')
}

function noCommand(word: string | undefined, names: readonly string[]): string {
  const commands = names.join(', ')
  if (word === undefined) return `the console needs a terminal; commands: ${commands} (--help tells more)`
  if (word.startsWith('-')) return `unknown option '${word}' before a command; commands: ${commands}`
  const near = names.find((name) => name.startsWith(word.slice(0, 3)))
  return `unknown command '${word}'${near === undefined ? '' : ` (Did you mean ${near}?)`}; commands: ${commands}`
}
