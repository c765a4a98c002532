import { Command } from 'commander'
import { handledBy } from '../context.js'
import { withAll, withConnection, withJson } from '../options/connection.js'
import { withRecovery, withSelection } from '../options/recovery.js'
import { option } from '../options/values.js'
import { packageVersion } from '../version.js'
import type { BuildProgram } from './program.js'

/** The tool that KIP-1275 describes, flag for flag, with what is beyond the KIP from options/recovery.ts. */
export const kafkaUncleanRecovery: BuildProgram = (context, finish) =>
  withRecovery(withAll(withJson(withConnection(withSelection(new Command('kafka-unclean-recovery'))))))
    .description('Elect leaders for partitions without one, by what their replicas hold (KIP-1275).')
    .version(packageVersion())
    .addOption(option('--show-replica-info', "a table of every replica's log; goes with everything"))
    .addOption(
      option('--manual-recovery-output-file <file>', 'a new file with the designated leaders').conflicts(
        'automatedRecovery',
      ),
    )
    .addOption(option('--automated-recovery', 'elect the designated leaders, without asking'))
    .action(handledBy(context, async () => (await import('../commands/unclean-recovery.js')).uncleanRecovery, finish))
