import type { Command } from 'commander'
import { integer, option, repeatable } from './values.js'

/** As given on the command line; config/ makes a connection of them. */
export interface ConnectionOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly profile?: string
  readonly brokerEndpoint?: readonly string[]
  readonly verbose?: boolean
  readonly readOnly?: boolean
  readonly requestTimeoutMs?: number
}

export interface JsonOption {
  readonly json?: boolean
}

/** Where a large cluster would fill many screens. */
export interface AllOption {
  readonly all?: boolean
}

export function withAll(command: Command): Command {
  return command.addOption(option('--all', 'list every partition, however many'))
}

export function withConnection(command: Command): Command {
  return command
    .addOption(option('--bootstrap-server <host:port,...>', 'brokers to begin with, [::1]:9092 too'))
    .addOption(option('--command-config <file>', 'Java client properties: security.protocol, sasl.*, ssl.*, ...'))
    .addOption(option('--profile <name>', 'a saved cluster (see kafka-recovery profiles)'))
    .addOption(
      option('--broker-endpoint <id=host:port>', 'reach this broker there (bastion, tunnel); repeatable').argParser(
        repeatable,
      ),
    )
    .addOption(option('--verbose', 'what is asked of which broker, on stderr'))
    .addOption(option('--read-only', 'refuse every writing request'))
    .addOption(
      option('--request-timeout-ms <n>', 'deadline of each request (default: 10000)').argParser(
        integer(1, 2_147_483_647),
      ),
    )
}

export function withJson(command: Command): Command {
  return command.addOption(option('--json', 'one JSON document on stdout'))
}
