import { loadavg } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ownFolder } from '../../cli/harness.js'
import { startCluster, type TestCluster } from '../../kafka/harness/cluster.js'
import { kafkaJars } from '../../kafka/harness/jars.js'
import { recordBatch } from '../../kafka/harness/records.js'
import { Produce } from '../../kafka/harness/rpcs.js'
import { until } from '../../kafka/harness/until.js'
import { startProgram } from '../../terminal/harness/screen-program.js'

// On a real 4.4.0 cluster with 3,000 partitions, of which 2,170 are offline: how long `kafka-topics --describe --unavailable-partitions`, `status` and the
// console's first complete list take, one after the other in the same run (npm run bench:kafka). Aim of design.md: 0.35 of the time of Kafka's own tool.

const VERSION = '4.4.0'
const TOPICS = 10
const [OFFLINE, HEALTHY] = [217, 83]
const RUNS = 5
const LIMIT = 300_000

const folder = ownFolder()
let kafka: TestCluster

beforeAll(async () => {
  kafka = await startCluster({
    version: VERSION,
    logDirsPerBroker: 1,
    // Each log maps its indexes: small ones, for 6,000 of them.
    config: { 'log.index.size.max.bytes': '4096', 'min.insync.replicas': '1' },
  })
  const topic = (name: string, partitions: number, replicas: readonly number[]) => ({
    name,
    assignment: Array.from({ length: partitions }, () => replicas),
  })
  for (let number = 0; number < TOPICS; number++) {
    await kafka.createTopics([topic(`offline-${number}`, OFFLINE, [2, 1]), topic(`healthy-${number}`, HEALTHY, [3, 1])])
  }
  await write('both')
  // 1 goes, 2 writes on and goes, 1 is there again with less than 2 holds: nobody may lead.
  await kafka.broker(1).stop()
  await kafka.untilFenced(1, { deadlineMs: LIMIT })
  await write('2 alone')
  await kafka.broker(2).kill()
  await kafka.untilFenced(2, { deadlineMs: LIMIT })
  await kafka.start(1)
  await kafka.untilAlive([1, 3], { deadlineMs: LIMIT })
}, 1_800_000)

afterAll(() => kafka?.dispose(), 120_000)

/** How many partitions stand in a group, on the console's first screen. */
function grouped(screen: string): number {
  const counts = [...screen.matchAll(/^[> ] {2}[A-D] {2}\S.*? {2,}([\d,]+)/gm)]
  return counts.reduce((sum, [, count = '0']) => sum + Number(count.replaceAll(',', '')), 0)
}

/** A record to every partition that broker 2 leads, on all that are in ISR. */
async function write(value: string): Promise<void> {
  const records = await recordBatch([value])
  for (let number = 0; number < TOPICS; number++) {
    await until(`offline-${number} to take records`, async () => {
      const { responses } = await kafka.broker(2).rpc(Produce, 8, {
        acks: -1,
        timeoutMs: 30_000,
        topicData: [
          {
            name: `offline-${number}`,
            partitionData: Array.from({ length: OFFLINE }, (_, index) => ({ index, records })),
          },
        ],
      })
      const codes = new Set(responses.flatMap((one) => one.partitionResponses.map(({ errorCode }) => errorCode)))
      return codes.size === 1 && codes.has(0) ? { done: undefined } : { seen: [...codes] }
    })
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const started = performance.now()
  const result = await work()
  return { seconds: (performance.now() - started) / 1000, result }
}

it('is measured beside kafka-topics', { timeout: 1_800_000 }, async () => {
  const { classpath } = await kafkaJars(VERSION)
  const server = ['--bootstrap-server', kafka.bootstrapServers]
  const bin = join(inject('packageRoot'), 'bin/kafka-recovery.js')
  const env = { KAFKA_RECOVERY_HOME: folder.path('home') }
  const offline = TOPICS * OFFLINE

  const kafkaTopics = async () => {
    // Heap as bin/kafka-run-class.sh gives its tools.
    const tool = ['-Xmx256M', '-cp', classpath, 'org.apache.kafka.tools.TopicCommand']
    const { stdout } = await execa('java', [...tool, ...server, '--describe', '--unavailable-partitions'], {
      stderr: 'ignore',
    })
    expect(stdout.match(/Partition: \d+/g)).toHaveLength(offline)
  }
  const status = async () => {
    const { stdout } = await execa(process.execPath, [bin, 'status', ...server, '--json'], { env, reject: false })
    expect(JSON.parse(stdout).offlinePartitions).toHaveLength(offline)
  }
  const console = async () => {
    const opened = startProgram(process.execPath, [bin, ...server], { cwd: folder.path('.'), env })
    try {
      await opened.waitFor('2,170 OFFLINE of 3,000', LIMIT)
      await until(
        'every offline partition to stand in its group',
        async () => (grouped(opened.text()) === offline ? { done: undefined } : { seen: opened.text() }),
        { deadlineMs: LIMIT, everyMs: 10 },
      )
    } finally {
      await opened.dispose()
    }
  }

  const measured = { kafkaTopics, status, console }
  const seconds = new Map<string, number[]>()
  for (let run = 0; run < RUNS; run++) {
    for (const [name, work] of Object.entries(measured)) {
      seconds.set(name, [...(seconds.get(name) ?? []), (await timed(work)).seconds])
    }
  }
  const median = (name: string) => seconds.get(name)?.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN
  const lines = [...seconds.keys()].map(
    (name) =>
      `  ${name.padEnd(12)} ${median(name).toFixed(2)} s, ${(median(name) / median('kafkaTopics')).toFixed(2)} of kafka-topics`,
  )
  process.stdout.write(
    `Kafka ${VERSION}, 3,000 partitions, 2,170 offline, medians of ${RUNS} runs (load ${loadavg()[0]?.toFixed(1)}):\n${lines.join('\n')}\n`,
  )
})
