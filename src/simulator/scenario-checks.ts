import type {
  Scenario,
  ScenarioBroker,
  ScenarioEvent,
  ScenarioFault,
  ScenarioLog,
  ScenarioPartition,
  ScenarioTopic,
} from './scenario-schema.js'
import { EVENT_KINDS } from './scenario-schema.js'

/** Every id and name of a simulated cluster begins so: it is never mistaken for a real one. */
export const SIMULATED_PREFIX = 'SIMULATED'

/** A scenario of the right form that says something impossible. `path` is a JSON path. */
export interface ScenarioMistake {
  readonly path: string
  readonly problem: string
}

type Report = (path: string, problem: string) => void

/** What a form alone can not tell: references, order, and what no cluster can be. The first mistake; null: none. */
export function firstMistake(scenario: Scenario, apiNames: ReadonlySet<string>): ScenarioMistake | null {
  const mistakes: ScenarioMistake[] = []
  const report: Report = (path, problem) => mistakes.push({ path, problem })
  if (!scenario.clusterId.startsWith(SIMULATED_PREFIX)) {
    report('clusterId', `must begin with ${SIMULATED_PREFIX}`)
  }
  const brokers = checkBrokers(scenario.brokers, report)
  const voters = scenario.quorum?.voters
  const leader = scenario.quorum?.leader
  if (leader !== undefined && leader >= 0 && voters !== undefined && !voters.includes(leader)) {
    report('quorum.leader', `${leader} is not one of the voters`)
  }
  checkTopics(scenario.topics, brokers, report)
  const topics = new Map(scenario.topics.map((topic) => [topic.name, topic]))
  scenario.faults?.forEach((fault, index) => {
    checkFault(fault, `faults[${index}]`, brokers, topics, apiNames, report)
  })
  scenario.events?.forEach((event, index) => {
    const { afterMs: _, ...happening } = event
    checkEvent(happening, `events[${index}]`, brokers, topics, report)
  })
  return mistakes[0] ?? null
}

function checkBrokers(list: readonly ScenarioBroker[], report: Report): ReadonlyMap<number, ScenarioBroker> {
  const brokers = new Map<number, ScenarioBroker>()
  list.forEach((broker, index) => {
    const at = `brokers[${index}]`
    if (brokers.has(broker.id)) report(`${at}.id`, `broker ${broker.id} is there twice`)
    brokers.set(broker.id, broker)
    reportTwice(broker.logDirs, `${at}.logDirs`, report)
    broker.failedLogDirs?.forEach((dir, position) => {
      if (!broker.logDirs.includes(dir)) {
        report(`${at}.failedLogDirs[${position}]`, `${dir} is not one of its logDirs`)
      }
    })
    const isRunning = (broker.state ?? 'up') !== 'down'
    if (isRunning && broker.logDirs.every((dir) => broker.failedLogDirs?.includes(dir))) {
      report(`${at}.failedLogDirs`, 'a broker all of whose directories failed does not run: its state can only be down')
    }
    if (isRunning && broker.metadataLogDir !== undefined && broker.failedLogDirs?.includes(broker.metadataLogDir)) {
      report(
        `${at}.metadataLogDir`,
        'a broker whose metadata directory failed does not run: its state can only be down',
      )
    }
  })
  return brokers
}

function reportTwice<T extends string | number>(list: readonly T[], path: string, report: Report): void {
  list.forEach((value, index) => {
    if (list.indexOf(value) !== index) report(`${path}[${index}]`, `${value} is there twice`)
  })
}

function checkTopics(
  list: readonly ScenarioTopic[],
  brokers: ReadonlyMap<number, ScenarioBroker>,
  report: Report,
): void {
  const names = new Set<string>()
  list.forEach((topic, index) => {
    const at = `topics[${index}]`
    if (names.has(topic.name)) report(`${at}.name`, `topic ${topic.name} is there twice`)
    names.add(topic.name)
    checkMinIsr(topic, at, report)
    const generated = topic.partitionCount !== undefined
    if (generated === (topic.partitions !== undefined)) {
      report(at, generated ? 'has both partitions and partitionCount' : 'has neither partitions nor partitionCount')
      return
    }
    if (topic.partitions === undefined) {
      const factor = topic.replicationFactor ?? 1
      if (factor > brokers.size) {
        report(`${at}.replicationFactor`, `${factor} replicas do not fit on ${brokers.size} brokers`)
      }
      return
    }
    for (const key of ['replicationFactor', 'offlineShare', 'seed'] as const) {
      if (topic[key] !== undefined) report(`${at}.${key}`, 'goes with partitionCount, not with partitions')
    }
    const indexes = new Map<number, number>()
    topic.partitions.forEach((partition, position) => {
      const where = `${at}.partitions[${position}]`
      if (indexes.has(partition.partition)) {
        report(`${where}.partition`, `partition ${partition.partition} is there twice`)
      }
      indexes.set(partition.partition, position)
      checkPartition(partition, where, brokers, report)
    })
    topic.partitions.forEach((_, expected) => {
      if (!indexes.has(expected))
        report(`${at}.partitions`, `partition ${expected} is missing: they are numbered from 0`)
    })
  })
}

function checkMinIsr(topic: ScenarioTopic, at: string, report: Report): void {
  const minIsr = topic.config?.['min.insync.replicas']
  if (minIsr !== undefined && !/^[1-9]\d*$/.test(minIsr)) {
    report(`${at}.config["min.insync.replicas"]`, 'must be a number from 1 on, as text')
  }
}

function checkPartition(
  partition: ScenarioPartition,
  at: string,
  brokers: ReadonlyMap<number, ScenarioBroker>,
  report: Report,
): void {
  const { assignment, leader } = partition
  assignment.forEach((member, index) => {
    if (!brokers.has(member)) report(`${at}.assignment[${index}]`, `there is no broker ${member}`)
  })
  reportTwice(assignment, `${at}.assignment`, report)
  for (const role of ['isr', 'elr', 'lastKnownElr'] as const) {
    const members = partition[role] ?? []
    for (const member of members) {
      if (!assignment.includes(member)) report(`${at}.${role}`, `broker ${member} is not in the assignment`)
    }
    reportTwice(members, `${at}.${role}`, report)
  }
  for (const member of partition.elr ?? []) {
    if (partition.isr?.includes(member)) report(`${at}.elr`, `broker ${member} is in isr already`)
  }
  if (leader >= 0) {
    if (!assignment.includes(leader)) report(`${at}.leader`, `broker ${leader} is not in the assignment`)
    else if (partition.isr !== undefined && !partition.isr.includes(leader)) {
      report(`${at}.isr`, `the leader ${leader} is missing: a leader is always in sync`)
    }
  }
  for (const [key, log] of Object.entries(partition.logs ?? {})) {
    const where = `${at}.logs[${JSON.stringify(key)}]`
    const broker = /^(0|[1-9]\d*)$/.test(key) ? brokers.get(Number(key)) : undefined
    if (broker === undefined) report(where, `there is no broker ${key}`)
    else if (!assignment.includes(broker.id)) report(where, `broker ${key} is not in the assignment`)
    else if (!broker.logDirs.includes(log.logDir)) {
      report(`${where}.logDir`, `broker ${key} has no log directory ${log.logDir}`)
    }
    checkLog(log, where, partition.leaderEpoch, report)
  }
}

function checkLog(log: ScenarioLog, at: string, leaderEpoch: number | undefined, report: Report): void {
  const { logStartOffset, logEndOffset, highWatermark, epochs } = log
  if (logEndOffset < logStartOffset) {
    report(`${at}.logEndOffset`, `the log ends at ${logEndOffset}, before its start at ${logStartOffset}`)
    return
  }
  if (highWatermark !== undefined && highWatermark > logEndOffset) {
    report(`${at}.highWatermark`, `lies at ${highWatermark}, above the log end at ${logEndOffset}`)
  }
  epochs.forEach(([epoch, start], index) => {
    const where = `${at}.epochs[${index}]`
    const before = epochs[index - 1]
    if (start < logStartOffset)
      report(where, `epoch ${epoch} starts at ${start}, before the log start at ${logStartOffset}`)
    if (start > logEndOffset) report(where, `epoch ${epoch} starts at ${start}, beyond the log end at ${logEndOffset}`)
    if (before !== undefined && (epoch <= before[0] || start < before[1])) {
      report(where, `epochs and their starts ascend; [${epoch}, ${start}] follows [${before[0]}, ${before[1]}]`)
    }
    if (leaderEpoch !== undefined && epoch > leaderEpoch) {
      report(where, `epoch ${epoch} is above the partition's leaderEpoch ${leaderEpoch}`)
    }
  })
}

function checkPlace(
  place: { readonly topic: string; readonly partition?: number | undefined },
  at: string,
  topics: ReadonlyMap<string, ScenarioTopic>,
  report: Report,
): void {
  const topic = topics.get(place.topic)
  if (topic === undefined) {
    report(`${at}.topic`, `there is no topic ${place.topic}`)
    return
  }
  const count = topic.partitionCount ?? topic.partitions?.length ?? 0
  if (place.partition !== undefined && place.partition >= count) {
    report(`${at}.partition`, `topic ${place.topic} has no partition ${place.partition}`)
  }
}

function checkFault(
  fault: ScenarioFault,
  at: string,
  brokers: ReadonlyMap<number, ScenarioBroker>,
  topics: ReadonlyMap<string, ScenarioTopic>,
  apiNames: ReadonlySet<string>,
  report: Report,
): void {
  if (fault.broker !== undefined && !brokers.has(fault.broker)) {
    report(`${at}.broker`, `there is no broker ${fault.broker}`)
  }
  if (fault.api !== undefined && fault.api !== '*' && !apiNames.has(fault.api)) {
    report(`${at}.api`, `there is no api ${JSON.stringify(fault.api)}; there are ${[...apiNames].join(', ')}`)
  }
  if (fault.topic !== undefined) checkPlace({ topic: fault.topic, partition: fault.partition }, at, topics, report)
  else if (fault.partition !== undefined) report(`${at}.partition`, 'needs a topic beside it')
  const does = [
    'error',
    'closeConnection',
    'delayMs',
    'silent',
    'throttleMs',
    'requestLimit',
    'malformed',
    'answered',
  ] as const
  if (does.every((key) => fault[key] === undefined)) {
    report(at, `does nothing: it needs one of ${does.join(', ')}`)
  }
}

/** @param happening an event without its time */
export function checkEvent(
  happening: ScenarioEvent,
  at: string,
  brokers: ReadonlyMap<number, { readonly logDirs: readonly string[] }>,
  topics: ReadonlyMap<string, ScenarioTopic>,
  report: Report,
): void {
  const kinds = Object.keys(happening)
  if (kinds.length !== 1) {
    report(at, `needs exactly one of ${EVENT_KINDS.join(', ')}`)
    return
  }
  for (const kind of ['brokerUp', 'brokerDown', 'brokerFenced', 'brokerRestart'] as const) {
    const named = happening[kind]
    const id = typeof named === 'object' ? named.broker : named
    if (id !== undefined && !brokers.has(id)) report(`${at}.${kind}`, `there is no broker ${id}`)
  }
  for (const kind of ['failLogDir', 'replaceLogDir', 'removeLogDir'] as const) {
    const named = happening[kind]
    if (named === undefined) continue
    const broker = brokers.get(named.broker)
    if (broker === undefined) report(`${at}.${kind}.broker`, `there is no broker ${named.broker}`)
    else if (!broker.logDirs.includes(named.path)) {
      report(`${at}.${kind}.path`, `broker ${named.broker} has no log directory ${named.path}`)
    } else if (kind === 'removeLogDir' && broker.logDirs.length === 1) {
      report(`${at}.${kind}.path`, `it is the only log directory of broker ${named.broker}`)
    }
  }
  if (happening.appendRecords !== undefined) checkPlace(happening.appendRecords, `${at}.appendRecords`, topics, report)
  for (const kind of ['deleteTopic', 'recreateTopic'] as const) {
    const named = happening[kind]
    if (named !== undefined && !topics.has(named)) report(`${at}.${kind}`, `there is no topic ${named}`)
  }
}
