import { partitionName, type TopicPartition } from '../cluster/snapshot.js'
import { readInputFile } from '../recovery/files/input-file.js'
import { isTopicName, parsePartitionFile } from '../recovery/files/partition-file.js'
import type { Selection } from '../recovery/use-cases/select-partitions.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT } from './exit.js'
import type { SelectionOptions } from './options/recovery.js'

/**
 * The partitions that a command line names: exactly one of --all-offline-partitions, --path-to-json-file and, where `named`
 * are given, TOPIC-PARTITION arguments. Reads the file, so nothing is sent when that is malformed.
 */
export async function selectionOf(
  context: CommandContext,
  options: SelectionOptions,
  named: readonly string[],
  takesNames = true,
): Promise<Selection> {
  const ways = [options.allOfflinePartitions === true, options.pathToJsonFile !== undefined, named.length > 0]
  if (ways.filter(Boolean).length !== 1) {
    const choice = `--all-offline-partitions${takesNames ? ',' : ' or'} --path-to-json-file${takesNames ? ' or TOPIC-PARTITION ...' : ''}`
    const fault = ways.some(Boolean) ? 'more than one way is given to choose partitions' : 'no partitions are chosen'
    throw new CliError(EXIT.usage, `${fault}: give exactly one of ${choice}`)
  }
  if (options.allOfflinePartitions === true) return { kind: 'allOffline' }
  if (options.pathToJsonFile === undefined) return { kind: 'named', partitions: namedPartitions(named) }

  const file = options.pathToJsonFile
  const { partitions, extraFields } = parsePartitionFile(await readInputFile(file), file)
  noteExtraFields(context, file, extraFields)
  if (partitions.some(({ designatedLeader }) => designatedLeader !== null)) {
    context.output.note(
      `warning: ${file}: designatedLeader is ignored here, leaders are chosen by rank; to elect these: kafka-recovery elect --plan ${file}`,
    )
  }
  return { kind: 'named', partitions }
}

/** A line on a terminal, not a list. */
const FIELDS_NAMED = 20

export function noteExtraFields({ output }: CommandContext, file: string, fields: readonly string[]): void {
  if (fields.length === 0) return
  const more = fields.length > FIELDS_NAMED ? ` and ${fields.length - FIELDS_NAMED} more` : ''
  output.note(
    `warning: ${file}: fields that mean nothing here are ignored: ${fields.slice(0, FIELDS_NAMED).join(', ')}${more}`,
  )
}

/** TOPIC-PARTITION, split at the last dash, for topic names have dashes too. */
function namedPartitions(args: readonly string[]): TopicPartition[] {
  const partitions = args.map((argument) => {
    const named = partitionNamed(argument)
    if (named !== null) return named
    throw new CliError(EXIT.usage, `'${argument}' is no TOPIC-PARTITION (for instance orders-0)`)
  })
  refuseTwice(partitions)
  return partitions
}

/** Names of partitions that an option gives, each checked; `option` as messages name it. */
export function partitionsNamed(args: readonly string[], option: string): string[] {
  return args.map((argument) => {
    const named = partitionNamed(argument)
    if (named !== null) return partitionName(named)
    throw new CliError(EXIT.usage, `${option}: '${argument}' is no TOPIC-PARTITION (for instance orders-0)`)
  })
}

/** TOPIC-PARTITION=BROKER, each a leader chosen by hand. */
export function leadersNamed(args: readonly string[]): (TopicPartition & { readonly designatedLeader: number })[] {
  const leaders = args.map((argument) => {
    const [, name = '', broker] = /^(.*)=(\d{1,10})$/.exec(argument) ?? []
    const named = partitionNamed(name)
    const designatedLeader = Number(broker)
    if (named !== null && designatedLeader <= MAX_ID) return { ...named, designatedLeader }
    throw new CliError(EXIT.usage, `--leader: '${argument}' is no TOPIC-PARTITION=BROKER (for instance orders-0=2)`)
  })
  refuseTwice(leaders)
  return leaders
}

const MAX_ID = 2_147_483_647

function partitionNamed(name: string): TopicPartition | null {
  const [, topic, number] = /^(.*)-(\d{1,10})$/.exec(name) ?? []
  const partition = Number(number)
  return topic === undefined || !isTopicName(topic) || !(partition <= MAX_ID) ? null : { topic, partition }
}

function refuseTwice(partitions: readonly TopicPartition[]): void {
  const seen = new Set<string>()
  for (const name of partitions.map(partitionName)) {
    if (seen.has(name)) throw new CliError(EXIT.usage, `${name} is named twice, name each partition once`)
    seen.add(name)
  }
}
