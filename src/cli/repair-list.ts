import { nodeSeenPlacementsStorage } from '../repair/node-seen-placements-storage.js'
import { type BrokerRepairs, readBrokerRepairs } from '../repair/use-cases/read-broker-repairs.js'
import type { RepairReading } from '../repair/use-cases/read-repair.js'
import { nextLines } from './command-line.js'
import type { RepairGiven } from './commands/repair.js'
import { withCluster } from './connected.js'
import type { CommandContext } from './context.js'
import { EXIT } from './exit.js'
import { seenFolder } from './journals.js'
import { partitionsNamed } from './selection.js'
import { alarmText } from './text/advice-text.js'
import { clusterHeading } from './text/cluster-heading.js'
import { columns } from './text/columns.js'
import { noteProblems } from './text/problems.js'
import { counted, numberText } from './text/words.js'

/** `repair --broker N` without a directory: all of that broker that failed, each with its gate, for one start brings all of them back. */
export function listRepairs(context: CommandContext, options: RepairGiven): Promise<number> {
  const writtenOff = new Set(partitionsNamed(options.writeOff ?? [], '--write-off'))
  return withCluster(context, options, async ({ cluster, memory, name, readOnly, requestTimeoutMs }) => {
    const { output, interruption } = context
    const found = await interruption.whileReading(
      readBrokerRepairs(cluster, options.broker, {
        durationMs: requestTimeoutMs,
        writtenOff,
        placements: nodeSeenPlacementsStorage(seenFolder()),
        memory,
      }),
    )
    noteProblems(
      output,
      found.snapshot.problems.filter(({ code }) => code !== 'brokerDown'),
    )
    for (const problem of found.problems) output.note(`warning: ${problem}`)
    const alarms = alarmText(found.repairs[0]?.situation.alarms ?? [])
    if (output.json) {
      for (const line of alarms) output.note(line)
      output.document({ broker: found.broker, repairs: found.repairs.map(repairInShort) })
    } else {
      output.text([
        clusterHeading(found.snapshot, name, readOnly),
        ...alarms,
        ...listText(found, output.columns),
        ...found.repairs.flatMap(({ broker, path }) =>
          nextLines(
            options,
            { why: `the steps of ${path}`, words: ['repair', '--broker', String(broker), '--log-dir', path] },
            output.columns,
          ),
        ),
      ])
    }
    return EXIT.done
  })
}

function repairInShort({ broker, path, phase, directory, brokerState, held, gate }: RepairReading) {
  return {
    broker,
    logDir: path,
    brokerState,
    phase,
    standing: directory.standing.kind,
    partitions: held.partitions.length,
    gate: {
      open: gate.open,
      holds: gate.holds.map(({ topic, partition, reason }) => ({ topic, partition, reason })),
      noGoAhead: gate.noGoAhead,
    },
  }
}

function listText({ broker, repairs, paths }: BrokerRepairs, width: number | null): string[] {
  if (repairs.length === 0) {
    return [`Nothing to repair: no log directory of broker ${broker} is known to have failed (${paths.join(', ')}).`]
  }
  const shut = repairs.filter(({ gate }) => !gate.open)
  return [
    ...columns(
      [
        { title: 'LOG DIRECTORY', mayCut: true },
        { title: 'STATE' },
        { title: 'REPLICAS', align: 'right' },
        { title: 'WITHOUT LEADER', short: 'LEADERLESS', align: 'right' },
        { title: 'GATE' },
      ],
      repairs.map(({ path, phase, held, gate }) => [
        path,
        PHASE_WORDS[phase],
        numberText(held.partitions.length),
        numberText(held.partitions.filter(({ leader }) => leader === null).length),
        gate.open ? 'open' : `SHUT${gate.holds.length === 0 ? '' : ` by ${counted(gate.holds.length, 'partition')}`}`,
      ]),
      width,
    ),
    shut.length === 0
      ? `broker ${broker} may be started as far as its gates go: all of them are open`
      : `do NOT start broker ${broker} with any of ${shut.map(({ path }) => path).join(', ')} emptied or gone: one start brings all its directories back, and ${shut.length === 1 ? 'a gate is' : `${shut.length} gates are`} shut`,
  ]
}

const PHASE_WORDS: Readonly<Record<RepairReading['phase'], string>> = {
  nothing: 'online',
  failed: 'OFFLINE',
  away: 'broker away',
  emptyBack: 'EMPTY, may lead',
  wiped: 'maybe wiped',
  catchingUp: 'catching up',
  unknown: 'unknown',
}
