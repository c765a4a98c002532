import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config/config-error.js'
import { parseJaasConfig } from '../../src/config/jaas.js'
import { readJavaProperties } from '../../src/config/java-properties.js'
import { draftOf } from '../../src/recovery/files/draft-file.js'
import { parseElectFile } from '../../src/recovery/files/elect-file.js'
import { InputFileError } from '../../src/recovery/files/input-file-error.js'
import { parsePartitionFile } from '../../src/recovery/files/partition-file.js'
import { planFileText } from '../../src/recovery/files/plan-json.js'
import { seenEmptyOf } from '../../src/recovery/files/seen-empty-file.js'
import { readContents } from '../../src/recovery/journal/contents.js'
import { encodeLine } from '../../src/recovery/journal/line.js'
import { seenPlacementsOf } from '../../src/repair/seen-placements-file.js'
import { checkScenario, parseScenario, ScenarioError } from '../../src/simulator/scenario.js'
import { nightShift } from '../../src/simulator/scenarios/night-shift.js'
import { FakeCluster } from '../recovery/apply/fake-cluster.js'
import { offlinePartition, planOf } from '../recovery/apply/recovery-bench.js'
import { VirtualClock } from '../recovery/apply/virtual-clock.js'

// Issue 6, 7: files that somebody damaged or made to do harm. Each is read, or refused with an error of its own kind in one line that shows nothing a terminal
// would act on; and no key in it reaches an object's prototype.

/** `FC_RUNS=50 npx vitest run --project unit test/hostile` looks fifty times as hard. */
const RUNS = Number(process.env.FC_RUNS ?? 1)

/** Keys that mean something to JavaScript, and text that means something to a terminal. */
const HOSTILE_WORDS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\u001b]0;owned\u0007',
  '\u202e',
  '\u0000',
  'a'.repeat(5_000),
]
const KNOWN_WORDS = [
  'partitions',
  'partition',
  'topic',
  'name',
  'brokers',
  'clusterId',
  'topics',
  'logs',
  'version',
  'id',
  'entries',
]

const anyKey = fc.oneof(fc.constantFrom(...HOSTILE_WORDS), fc.constantFrom(...KNOWN_WORDS), fc.string({ maxLength: 5 }))
const { tree: anyJson } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom(...HOSTILE_WORDS),
    ),
    fc.array(tie('tree'), { maxLength: 4 }),
    // Entries, not an object: __proto__ has to come through as a key.
    fc
      .array(fc.tuple(anyKey, tie('tree')), { maxLength: 4 })
      .map((entries) => ({ toJSON: () => undefined, entries, isObject: true as const })),
  ),
}))

/** JSON text in which `__proto__` is a key like any other, which JSON.stringify of an object would not write. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value === 'object' && value !== null && 'isObject' in value) {
    const { entries } = value as unknown as { entries: readonly [string, unknown][] }
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** Bytes of a good file with some changed, cut, doubled or put in. */
function damagedBytes(good: Buffer): fc.Arbitrary<Buffer> {
  const edit = fc.record({
    at: fc.nat({ max: Math.max(0, good.length - 1) }),
    how: fc.constantFrom('change', 'insert', 'cut', 'double'),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 6 }).map((raw) => Buffer.from(raw)),
      fc.constantFrom(...HOSTILE_WORDS).map((word) => Buffer.from(word)),
      fc
        .constantFrom('-1', '1e999', '9007199254740993', '"', '\\u', '{', ']', ',', '\n')
        .map((text) => Buffer.from(text)),
    ),
  })
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) =>
    edits.reduce((bytes: Buffer, { at, how, bytes: planted }) => {
      const place = Math.min(at, bytes.length)
      const [head, tail] = [bytes.subarray(0, place), bytes.subarray(place)]
      if (how === 'cut') return head
      if (how === 'insert') return Buffer.concat([head, planted, tail])
      if (how === 'double') return Buffer.concat([bytes, tail])
      return Buffer.concat([head, planted, tail.subarray(Math.min(tail.length, planted.length))])
    }, good),
  )
}

const prototypes = [Object.prototype, Array.prototype, Function.prototype, Map.prototype]
const keysOf = () => prototypes.map((one) => Reflect.ownKeys(one).length)
const before = keysOf()

afterEach(() => {
  // Whatever the file said.
  expect(keysOf()).toEqual(before)
  expect(({} as { owned?: unknown }).owned).toBeUndefined()
})

type Refusal = abstract new (...args: never[]) => Error

async function readOrRefused(read: () => unknown, ...refusals: readonly Refusal[]): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!refusals.some((kind) => error instanceof kind)) throw error
    const { message } = error as Error
    // Of settings every one that is wrong has its line.
    for (const line of error instanceof ConfigError ? message.split('\n') : [message]) {
      expect(line).not.toMatch(/[\n\r]/)
    }
    expect(message.length).toBeLessThan(20_000)
  }
}

const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0), offlinePartition(1)])
const plan = await planOf(fake, ['t-0', 't-1'])
const orders = [
  { topic: 't', topicId: 'AAAAAAAAAAAAAAAAAAAAAA', partition: 0, original: [1, 2, 3], election: [3, 1, 2] },
]
const journal = Buffer.concat(
  (
    [
      {
        type: 'opened',
        format: 1,
        purpose: 'apply',
        planId: 'p',
        clusterId: 'c',
        startedAt: '2026-01-01T00:00:00Z',
        owner: { pid: 1, host: 'h', bootId: null, startTicks: null, pidNamespace: null },
      },
      { type: 'about-to-reorder', clusterId: 'c', batch: 1, orders },
      { type: 'reordered', batch: 1, partitions: [{ topic: 't', partition: 0 }] },
      { type: 'closed' },
    ] as const
  ).map((entry, seq) => encodeLine({ seq, at: '2026-01-01T00:00:00Z', entry: entry as never })),
)

const FILES: readonly {
  readonly name: string
  readonly good: Buffer
  readonly read: (bytes: Buffer) => unknown
  readonly refusals: readonly Refusal[]
}[] = [
  {
    name: 'a partition file',
    good: Buffer.from('{"partitions":[{"topic":"foo","partitions":[0,3,5]},{"topic":"bar","partition":1}]}'),
    read: (bytes) => parsePartitionFile(bytes, 'f.json'),
    refusals: [InputFileError],
  },
  {
    name: 'a plan',
    good: Buffer.from(planFileText(plan)),
    read: (bytes) => parseElectFile(bytes, 'plan.json'),
    refusals: [InputFileError],
  },
  {
    name: 'a scenario',
    good: Buffer.from(JSON.stringify(nightShift)),
    read: (bytes) => parseScenario(bytes.toString(), 's.json'),
    refusals: [ScenarioError],
  },
  {
    name: 'a journal',
    good: journal,
    // Never refused: what can be read of it counts.
    read: (bytes) => readContents([bytes]),
    refusals: [],
  },
  {
    name: 'a properties file',
    good: Buffer.from(
      'security.protocol=SASL_SSL\nsasl.jaas.config=a.b.PlainLoginModule required username="u" \\\n  password="p\\u0041";\n',
    ),
    read: (bytes) => readJavaProperties(bytes, 'client.properties'),
    refusals: [ConfigError],
  },
  {
    name: 'a JAAS entry',
    good: Buffer.from(
      'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p,=\\"\\\\";',
    ),
    read: (bytes) => parseJaasConfig(bytes.toString()),
    refusals: [],
  },
  {
    name: 'a draft',
    good: Buffer.from('{"format":1,"clusterId":"c","savedAt":"2026-01-01T00:00:00.000Z","entries":[]}'),
    read: (bytes) => draftOf(bytes, 'draft.json'),
    refusals: [InputFileError],
  },
  {
    name: 'what was seen empty',
    good: Buffer.from('{"clusterId":"c","seen":[]}'),
    read: (bytes) => seenEmptyOf(bytes, 'seen.json', 'c'),
    refusals: [InputFileError, Error],
  },
  {
    name: 'where replicas were seen',
    good: Buffer.from('{"format":1,"clusterId":"c","directories":[]}'),
    read: (bytes) => seenPlacementsOf(bytes, 'c'),
    refusals: [InputFileError, Error],
  },
]

describe.each(FILES)('$name', ({ good, read, refusals }) => {
  it('damaged anywhere is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(damagedBytes(good), (bytes) => readOrRefused(() => read(bytes), ...refusals)),
      { numRuns: 120 * RUNS },
    )
  })

  it('of any JSON, with keys that JavaScript has a use for, is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, (value) => readOrRefused(() => read(Buffer.from(jsonText(value))), ...refusals)),
      { numRuns: 80 * RUNS },
    )
  })

  it('of any bytes is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (raw) =>
        readOrRefused(() => read(Buffer.from(raw)), ...refusals),
      ),
      { numRuns: 80 * RUNS },
    )
  })

  it('nested 200,000 deep, or one line of 4 MB, is read or refused, and soon', async () => {
    const startedAt = performance.now()
    for (const text of [
      '['.repeat(200_000),
      '{"a":'.repeat(200_000),
      `"${'x'.repeat(4_000_000)}"`,
      'x'.repeat(4_000_000),
    ]) {
      await readOrRefused(() => read(Buffer.from(text)), ...refusals)
    }
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})

it('a scenario may call a log after a method of objects, and nothing else than an error comes of it', () => {
  const scenario = (key: string) => ({
    clusterId: 'SIMULATED-x',
    brokers: [{ id: 1, logDirs: ['/d'] }],
    topics: [
      {
        name: 't',
        partitions: [{ partition: 0, assignment: [1], leader: 1, logs: JSON.parse(`{${JSON.stringify(key)}:{}}`) }],
      },
    ],
  })
  for (const key of ['constructor', 'toString']) {
    expect(() => checkScenario(scenario(key), 's')).toThrow(ScenarioError)
  }
  const { topics } = checkScenario(scenario('__proto__'), 's')
  expect(Object.keys(topics[0]?.partitions?.[0]?.logs ?? {})).toEqual([])
})
