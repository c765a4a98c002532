import type { TopicPartition } from '../../cluster/snapshot.js'
import type { GateHold } from '../../repair/gate.js'
import type { ReturnProgress } from '../../repair/progress.js'
import type { RepairStep } from '../../repair/repair-step.js'
import type { CommandResult } from '../../repair/run-command.js'
import type { RunRecord } from '../../repair/run-records.js'
import type { RepairReading } from '../../repair/use-cases/read-repair.js'
import type { TakenWay } from '../../repair/way.js'

/** One directory's repair as a document. Offsets are numbers; what is not known is null with a reason beside it. */
export function repairToJson(
  reading: RepairReading,
  { way, reason }: TakenWay,
  steps: readonly RepairStep[],
  runs: readonly RunRecord[],
) {
  const { broker, path, snapshot, brokerState, directory, phase, held, affected, impact, gate, wiped, progress } =
    reading
  return {
    broker,
    logDir: path,
    brokerState,
    phase,
    standing: directory.standing,
    error: directory.dir?.error ?? null,
    seenGoodAt: directory.seenGoodAt?.toISOString() ?? null,
    held: { source: held.source, at: held.at?.toISOString() ?? null, exact: held.exact, gone: held.gone },
    partitions: affected.map(({ state, kind, leader, namedIn, otherCopies, bestOther, unread, before }) => ({
      topic: state.topic,
      partition: state.partition,
      kind,
      leader,
      leaderEpoch: state.leaderEpoch,
      isr: state.isr,
      elr: state.elr,
      lastKnownElr: state.lastKnownElr,
      namedIn,
      otherCopies,
      bestOther,
      unread,
      seenEndOffset: before?.logEndOffset ?? null,
    })),
    madeAnew: reading.directories.flatMap((dir) => dir.madeAnew.map((one) => ({ ...one, logDir: dir.path }))),
    ledFromFailed: reading.directories.flatMap(({ ledFromFailed }) => ledFromFailed),
    impact: {
      ...impact,
      emptiedLeads: impact.emptiedLeads.map(({ topic, partition, outcome }) => ({
        topic,
        partition,
        wiped: outcome.wiped,
        lost: outcome.lost,
      })),
    },
    gate: {
      open: gate.open,
      heldUnknown: gate.heldUnknown,
      holds: gate.holds.map(hold),
      writtenOff: gate.writtenOff.map(hold),
      noGoAhead: gate.noGoAhead,
    },
    alarms: reading.situation.alarms.map(({ code, text, broker: about, partitions }) => ({
      code,
      text,
      broker: about,
      partitions,
    })),
    otherFailed: reading.otherFailed,
    wiped,
    progress: progressToJson(progress),
    way,
    wayReason: reason,
    seenEmptiedAt: reading.seenEmptiedAt?.toISOString() ?? null,
    steps: steps.map(({ id, title, status, why, how, check, seen, seenAt, command, partitions }) => ({
      id,
      title,
      status,
      why,
      how,
      check,
      seen,
      seenAt: seenAt?.toISOString() ?? null,
      command,
      partitions: partitions.map(place),
    })),
    runs: runs.map((run) => ({ ...run, startedAt: run.startedAt.toISOString() })),
    problems: reading.problems,
    readAt: snapshot.readAt.toISOString(),
  }
}

function hold({ topic, partition, reason, namedIn, otherCopies }: GateHold) {
  return { topic, partition, reason, namedIn, otherCopies }
}

function place({ topic, partition }: TopicPartition) {
  return { topic, partition }
}

export function progressToJson({ at, broker, directory, replicas, inSync, done }: ReturnProgress) {
  return { at: at.toISOString(), broker, directory, inSync, of: replicas.length, done, replicas }
}

export function resultToJson({ argv, startedAt, durationMs, end, output, droppedBytes }: CommandResult) {
  return { argv, startedAt: startedAt.toISOString(), durationMs, end, output, droppedBytes }
}
