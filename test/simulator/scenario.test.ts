import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseScenario, ScenarioError } from '../../src/simulator/scenario.js'
import { listNamedScenarios, loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { start } from './client.js'

const folder = fileURLToPath(new URL('../cases/scenarios/', import.meta.url))
const cases = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'))

const good = {
  clusterId: 'SIMULATED-x',
  brokers: [
    { id: 1, logDirs: ['/data/a'] },
    { id: 2, state: 'up', logDirs: ['/data/a', '/data/b'], failedLogDirs: ['/data/b'] },
  ],
  topics: [
    {
      name: 'orders',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 2,
          isr: [1, 2],
          logs: {
            1: {
              logDir: '/data/a',
              logStartOffset: 0,
              logEndOffset: 10,
              epochs: [
                [0, 0],
                [2, 10],
              ],
            },
          },
        },
      ],
    },
  ],
}

/** A scenario to spoil: whatever a test makes of it. */
// biome-ignore lint/suspicious/noExplicitAny: tests write what no type allows
type Spoiled = any

/** The message for `good` with one thing changed. */
function messageFor(change: (scenario: Spoiled) => void): string {
  const scenario = structuredClone(good)
  change(scenario)
  return messageOf(JSON.stringify(scenario))
}

function messageOf(text: string): string {
  try {
    parseScenario(text, 'night.json')
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError)
    const { message } = error as Error
    expect(message).not.toContain('\n')
    return message
  }
  return 'no mistake'
}

describe('scenario files', () => {
  test.each(cases)('the case %s loads and starts as it says', async (name) => {
    const scenario = parseScenario(readFileSync(`${folder}${name}`, 'utf8'), name)
    const running = await start(scenario)
    expect(running.clusterId).toMatch(/^SIMULATED-/)
    for (const topic of scenario.topics) {
      for (const given of topic.partitions ?? []) {
        const found = running.inspect().partition(topic.name, given.partition)!
        expect(found).toMatchObject({
          replicas: given.assignment,
          leader: given.leader,
          leaderEpoch: given.leaderEpoch,
          isr: given.isr,
          elr: given.elr,
          lastKnownElr: given.lastKnownElr,
        })
        for (const [broker, log] of Object.entries(given.logs ?? {})) {
          expect(found.logs.get(Number(broker))).toMatchObject(log)
        }
      }
    }
  })

  test('the example of scenario.md is taken whole', () => {
    expect(messageOf(EXAMPLE)).toBe('no mistake')
  })

  test.each<[string, (scenario: Spoiled) => void, string]>([
    ['cluster id', (s) => (s.clusterId = 'prod'), 'night.json: clusterId: must begin with SIMULATED'],
    [
      'unknown broker',
      (s) => (s.topics[0].partitions[0].assignment = [1, 7]),
      'night.json: topics[0].partitions[0].assignment[1]: there is no broker 7',
    ],
    [
      'ISR outside',
      (s) => (s.topics[0].partitions[0].isr = [1, 7]),
      'night.json: topics[0].partitions[0].isr: broker 7 is not in the assignment',
    ],
    [
      'ELR outside',
      (s) => (s.topics[0].partitions[0].elr = [9]),
      'night.json: topics[0].partitions[0].elr: broker 9 is not in the assignment',
    ],
    [
      'unknown key',
      (s) => (s.topics[0].partitions[0].replicas = []),
      'night.json: topics[0].partitions[0].replicas: unknown key "replicas"',
    ],
    [
      'unknown key in a log',
      (s) => (s.topics[0].partitions[0].logs[1].size = 1),
      'night.json: topics[0].partitions[0].logs["1"].size: unknown key "size"',
    ],
    [
      'end before start',
      (s) => (s.topics[0].partitions[0].logs[1].logStartOffset = 11),
      'night.json: topics[0].partitions[0].logs["1"].logEndOffset: the log ends at 10, before its start at 11',
    ],
    [
      'epoch before the log start',
      (s) => (s.topics[0].partitions[0].logs[1].logStartOffset = 4),
      'night.json: topics[0].partitions[0].logs["1"].epochs[0]: epoch 0 starts at 0, before the log start at 4',
    ],
    [
      'epochs that fall',
      (s) =>
        (s.topics[0].partitions[0].logs[1].epochs = [
          [3, 0],
          [2, 5],
        ]),
      'night.json: topics[0].partitions[0].logs["1"].epochs[0]: epoch 3 is above the partition\'s leaderEpoch 2',
    ],
    [
      'leader not in sync',
      (s) => (s.topics[0].partitions[0].isr = [2]),
      'night.json: topics[0].partitions[0].isr: the leader 1 is missing: a leader is always in sync',
    ],
    [
      'failed directory',
      (s) => (s.brokers[0].failedLogDirs = ['/data/c']),
      'night.json: brokers[0].failedLogDirs[0]: /data/c is not one of its logDirs',
    ],
    [
      'metadata directory',
      (s) => Object.assign(s.brokers[1], { metadataLogDir: '/data/b', failedLogDirs: ['/data/b'] }),
      'night.json: brokers[1].metadataLogDir: a broker whose metadata directory failed does not run: its state can only be down',
    ],
    [
      'log directory',
      (s) => (s.topics[0].partitions[0].logs[1].logDir = '/data/b'),
      'night.json: topics[0].partitions[0].logs["1"].logDir: broker 1 has no log directory /data/b',
    ],
    ['negative id', (s) => (s.brokers[0].id = -1), 'night.json: brokers[0].id: Too small: expected number to be >=0'],
    [
      'fault for an unknown topic',
      (s) => (s.faults = [{ api: 'Fetch', error: 1, topic: 'nope' }]),
      'night.json: faults[0].topic: there is no topic nope',
    ],
    [
      'fault that does nothing',
      (s) => (s.faults = [{ api: 'Fetch' }]),
      'night.json: faults[0]: does nothing: it needs one of error, closeConnection, delayMs, silent, throttleMs, requestLimit, malformed',
    ],
    [
      'event with two things',
      (s) => (s.events = [{ afterMs: 1, brokerUp: 1, brokerDown: 2 }]),
      'night.json: events[0]: needs exactly one of brokerUp',
    ],
    [
      'event with an unknown directory',
      (s) => (s.events = [{ afterMs: 1, failLogDir: { broker: 1, path: '/x' } }]),
      'night.json: events[0].failLogDir.path: broker 1 has no log directory /x',
    ],
    [
      'partitions and counts',
      (s) => (s.topics[0].partitionCount = 3),
      'night.json: topics[0]: has both partitions and partitionCount',
    ],
    [
      'too many replicas',
      (s) => (s.topics[0] = { name: 'a', partitionCount: 3, replicationFactor: 3 }),
      'night.json: topics[0].replicationFactor: 3 replicas do not fit on 2 brokers',
    ],
  ])('names the place: %s', (_, change, expected) => {
    expect(messageFor(change)).toContain(expected)
  })

  test.each<[string, string, string]>([
    ['nothing', '', 'night.json:1:1: the file is empty'],
    ['no object', '[]', 'night.json: the file: Invalid input: expected object'],
    ['a trailing comma', '{\n "clusterId": "SIMULATED",\n}', 'night.json:3:1: not JSON'],
    ['a comment', '{ // hello\n}', 'night.json:1:3: not JSON'],
    [
      'a key twice',
      '{"clusterId": "SIMULATED",\n  "clusterId": "SIMULATED"}',
      'night.json:2:3: key "clusterId" is there twice in one object',
    ],
    ['absurd nesting', '['.repeat(100_000), 'night.json:1:1: nested deeper than 50 levels'],
  ])('places what is no JSON: %s', (_, text, expected) => {
    expect(messageOf(text)).toContain(expected)
  })

  test('a byte order mark is fine', () => {
    expect(messageOf(`\uFEFF${JSON.stringify(good)}`)).toBe('no mistake')
  })
})

describe('named scenarios', () => {
  test('there are at least eight, each with one line of what it teaches', () => {
    const listed = listNamedScenarios()
    expect(listed.length).toBeGreaterThanOrEqual(8)
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length)
    for (const { teaches } of listed) expect(teaches).toMatch(/^[^\n]{10,120}$/)
  })

  test.each(listNamedScenarios())('$name loads and starts', async ({ name }) => {
    const scenario = loadNamedScenario(name)
    const running = await start(scenario)
    expect(running.bootstrapServers).not.toBe('')
    // There is something to do at once, or something fails while one looks on.
    const offline = [...running.inspect().partitions()].some(({ leader }) => leader === -1)
    const fails = scenario.events?.some(({ failLogDir }) => failLogDir !== undefined) === true
    expect(offline || fails).toBe(true)
  })

  test('an unknown name lists the known ones', () => {
    expect(() => loadNamedScenario('nope')).toThrow(/there is no scenario named "nope"; there are night-shift/)
  })
})

const EXAMPLE = `{
  "clusterId": "SIMULATED-night-shift",
  "personality": "stock",
  "brokers": [
    {"id": 1, "rack": "a", "state": "down", "logDirs": ["/data/a", "/data/b"]},
    {"id": 2, "rack": "b", "state": "up", "logDirs": ["/data/a", "/data/b"], "failedLogDirs": ["/data/b"]},
    {"id": 3, "rack": "c", "state": "up", "logDirs": ["/data/a"], "responseDelayMs": 20}
  ],
  "topics": [
    {"name": "orders", "config": {"min.insync.replicas": "2"},
     "partitions": [
       {"partition": 0, "assignment": [1, 2, 3], "leader": -1, "leaderEpoch": 8, "isr": [], "elr": [1], "lastKnownElr": [1],
        "logs": {
          "1": {"logDir": "/data/a", "logStartOffset": 0, "logEndOffset": 1000, "epochs": [[0, 0], [5, 400], [7, 900]], "highWatermark": 990},
          "2": {"logDir": "/data/a", "logStartOffset": 0, "logEndOffset": 950, "epochs": [[0, 0], [5, 400], [7, 900]], "highWatermark": 900},
          "3": {"logDir": "/data/a", "logStartOffset": 0, "logEndOffset": 960, "epochs": [[0, 0], [5, 400]], "highWatermark": 390}}}]},
    {"name": "many", "partitionCount": 5000, "replicationFactor": 3, "offlineShare": 0.2, "seed": 7}
  ],
  "faults": [
    {"broker": 3, "api": "ListOffsets", "error": 56, "topic": "orders", "partition": 0, "times": 2},
    {"broker": 2, "api": "ElectLeaders", "closeConnection": true, "times": 1},
    {"broker": 3, "api": "*", "delayMs": 60000, "afterMs": 2000}
  ],
  "events": [
    {"afterMs": 20000, "brokerUp": 1},
    {"afterMs": 40000, "failLogDir": {"broker": 2, "path": "/data/a"}},
    {"afterMs": 60000, "replaceLogDir": {"broker": 2, "path": "/data/b"}}
  ]
}`
