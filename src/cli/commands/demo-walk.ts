import { setTimeout as sleep } from 'node:timers/promises'
import { partitionName } from '../../cluster/snapshot.js'
import type { PartitionOutcome, RecoveryReport } from '../../recovery/apply/outcome.js'
import { reportOf } from '../../recovery/apply/report.js'
import { planToJson } from '../../recovery/files/plan-json.js'
import { reportToJson } from '../../recovery/files/report-json.js'
import { alarmedBrokers } from '../../recovery/returns/alarms.js'
import type { PlannedRecovery } from '../../recovery/use-cases/plan-recovery.js'
import { type ClusterStatus, readStatus } from '../../recovery/use-cases/read-status.js'
import type { Selection } from '../../recovery/use-cases/select-partitions.js'
import type { Scenario } from '../../simulator/scenario.js'
import type { RunningSimulator } from '../../simulator/simulator.js'
import type { Connected } from '../connected.js'
import type { CommandContext } from '../context.js'
import { electWithProgress } from '../electing.js'
import { EXIT } from '../exit.js'
import { comparedIn, replicasToJson } from '../json/replicas-json.js'
import { statusToJson } from '../json/status-json.js'
import { RECOVERY_DEFAULTS } from '../options/recovery.js'
import { planFor } from '../planning.js'
import { requestsFor } from '../requests.js'
import { adviceText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { namesText } from '../text/grouping.js'
import { noteTold } from '../text/noted.js'
import { leftOf, leftTold, planText } from '../text/plan-text.js'
import { requestsText } from '../text/preview-text.js'
import { replicasText } from '../text/replicas-text.js'
import { isDone, noteFailures, reportText, summaryText } from '../text/report-text.js'
import { statusText } from '../text/status-text.js'
import { counted, numberText } from '../text/words.js'

/** A return that comes later than this is not waited for. ms */
const LONGEST_WAIT_MS = 40_000
const LOOK_EVERY_MS = 500

/**
 * The same job as in the console, as text and by itself: status; the wait for a disk that is about to fail; what the alarm says, or the wait for a broker that brings
 * everything back; replicas, dry run, recovery with progress, status again; what counts.
 */
export async function walkThrough(
  context: CommandContext,
  connected: Connected,
  simulator: RunningSimulator,
  scenario: Scenario,
): Promise<number> {
  const { output, interruption } = context
  const say = (...lines: string[]) => {
    if (!output.json) output.text(lines)
  }
  const title = (text: string) => say('', `== SIMULATED: ${text}`, '')
  const look = () =>
    interruption.whileReading(readStatus(connected.cluster, connected.requestTimeoutMs, connected.memory))
  const show = (status: ClusterStatus) => {
    const heading = clusterHeading(status.snapshot, null, false)
    say(...statusText(status, heading, { width: output.columns, all: false }))
  }
  const waitFor = async (done: (status: ClusterStatus) => boolean) => {
    const until = performance.now() + LONGEST_WAIT_MS
    let status = await look()
    while (!done(status) && performance.now() < until) {
      await interruption.whileReading(sleep(LOOK_EVERY_MS))
      status = await look()
    }
    return status
  }

  title('status')
  let before = await look()
  show(before)
  const failing = failingSoon(scenario)
  const known = ({ failedLogDirs }: ClusterStatus) =>
    failedLogDirs.some(({ broker, path }) => broker === failing?.broker && path === failing.path)
  if (failing !== null && !known(before)) {
    title(`waiting for the disk under ${failing.path} of broker ${failing.broker} to fail`)
    before = await waitFor(known)
    show(before)
  }

  const texts = { width: output.columns, all: false }
  const electThese = async (selection: Selection): Promise<{ planned: PlannedRecovery; report: RecoveryReport }> => {
    const planned = await planFor(context, connected, selection, RECOVERY_DEFAULTS)
    const { plan } = planned
    if (plan.partitions.length + plan.skipped.length === 0) {
      title('automated recovery: no partition is offline any more, nothing is left to elect')
      return { planned, report: reportOf([], { durationMs: 0, ordersLeft: [], openJournal: null }) }
    }
    title('replicas')
    say(...replicasText(comparedIn(plan), texts))
    title('dry run: nothing is sent that writes')
    const requests = await interruption.whileReading(requestsFor(connected, plan))
    noteTold(output, leftOf(plan).map(leftTold), false, !output.json)
    say(...adviceText(planned.situation), ...planText(plan, texts), ...requestsText(requests, texts))
    title('automated recovery')
    const report = await electWithProgress(context, connected, planned, RECOVERY_DEFAULTS)
    noteFailures(output, report, false, connected.connection)
    say(...reportText(report, plan, texts))
    return { planned, report }
  }

  const capabilities = await interruption.whileReading(connected.cluster.capabilities())
  // Brokers with KIP-1275 obey the designation: there the alarm ends with the election.
  const stopped = capabilities.method === 'designated' ? [] : [...alarmedBrokers(before.alarms)]
  const first: PartitionOutcome[] = []
  if (stopped.length > 0) {
    const broker = stopped.join(', ')
    title(`what the alarm says: stop broker ${broker}, start none, elect what it threatens`)
    for (const id of stopped) await simulator.apply({ brokerDown: id })
    const isAway = ({ snapshot }: ClusterStatus) =>
      snapshot.brokers.every(({ id, state }) => !stopped.includes(id) || state !== 'up')
    await waitFor(isAway)
    say(`broker ${broker} has left the cluster: what it threatened can be elected now.`)
    const { report } = await electThese({
      kind: 'named',
      partitions: before.alarms.flatMap(({ partitions }) => partitions),
    })
    first.push(...report.outcome)
    for (const id of stopped) await simulator.apply({ brokerUp: id })
    title(`broker ${broker} is started again: it comes back as a follower, and refills`)
    await waitFor((status) => !isAway(status))
  }
  const returning = returningBrokers(before, scenario)
  if (returning.length > 0) {
    title(`waiting for broker ${returning.join(', ')}, which may bring everything back by itself`)
    const status = await waitFor(({ offline }) => offline.length === 0)
    say(
      `${counted(before.offline.length - status.offline.length, 'partition')} came back by waiting; nothing was elected.`,
    )
  }

  const { planned, report: rest } = await electThese({ kind: 'allOffline' })
  const report = reportOf([...first, ...rest.outcome], rest)
  const { plan } = planned

  title('status')
  const after = await look()
  show(after)
  title('what counts')
  say(...lessonsOf(before, after, report, stopped, scenario))
  if (output.json) {
    output.document({
      status: statusToJson(before, null),
      replicas: replicasToJson(comparedIn(plan)),
      plan: planToJson(plan),
      ...reportToJson(report),
      statusAfter: statusToJson(after, null),
    })
  }
  return couldBeRecovered(report) ? EXIT.done : EXIT.failed
}

/** A log directory that fails while somebody looks on; null: none does. */
function failingSoon({ events = [] }: Scenario): { readonly broker: number; readonly path: string } | null {
  const fails = events.find(({ afterMs = 0, failLogDir }) => failLogDir !== undefined && afterMs <= LONGEST_WAIT_MS)
  return fails?.failLogDir ?? null
}

/** Brokers that will come back soon, where they bring back all that is offline: then waiting is the right thing to do. */
function returningBrokers({ offline, situation }: ClusterStatus, { events = [] }: Scenario): number[] {
  const soon = new Set(
    events.flatMap(({ afterMs = 0, brokerUp }) => {
      if (brokerUp === undefined || afterMs > LONGEST_WAIT_MS) return []
      return [typeof brokerUp === 'object' ? brokerUp.broker : brokerUp]
    }),
  )
  const helping = situation.starts.filter(({ broker, bringsBack }) => soon.has(broker) && bringsBack.length > 0)
  const back = new Set(helping.flatMap(({ bringsBack }) => bringsBack.map(partitionName)))
  const all = offline.length > 0 && offline.every((state) => back.has(partitionName(state)))
  return all ? helping.map(({ broker }) => broker) : []
}

function lessonsOf(
  before: ClusterStatus,
  after: ClusterStatus,
  report: RecoveryReport,
  stopped: readonly number[],
  { teaches }: Scenario,
): string[] {
  const left = after.offline
  return [
    ...(teaches === undefined ? [] : [`This one teaches: ${teaches}.`]),
    `Offline before: ${numberText(before.offline.length)}. Recovery: ${summaryText(report)}. Offline after: ${numberText(left.length)}${left.length === 0 ? '' : ` (${namesText(left)})`}.`,
    ...(stopped.length > 0
      ? [
          `The alarm came first: with broker ${stopped.join(', ')} up, its empty log could have wiped the others at any moment.`,
        ]
      : []),
    ...after.failedLogDirs.map(
      ({ broker, path }) =>
        `${path} of broker ${broker} has failed still: kafka-recovery repair leads through its repair, and so does the console (demo on a terminal: 2, then enter).`,
    ),
    'The order is always: alarms first; then start what can be started, with the OLD disks; elect only what is left.',
  ]
}

/** What was left to the operator is named, and is no failure of the demo. */
function couldBeRecovered({ outcome }: RecoveryReport): boolean {
  return outcome.every((one) => isDone(one) || one.result === 'skipped')
}
