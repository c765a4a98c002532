import { describe, expect, test } from 'vitest'
import { ALL_RPCS } from '../../src/protocol/rpc/all.js'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { DescribeLogDirs } from '../../src/protocol/rpc/describe-log-dirs.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import type { AnyRpc } from '../../src/protocol/schema/rpc.js'
import { array, bool, int32, int64, nullable, since, string, tagged } from '../../src/protocol/schema/types.js'
import { kafkaJars } from './harness/jars.js'
import { rpcDefinition } from './harness/message-definitions.js'
import { HARNESS_RPCS } from './harness/rpcs.js'
import { commonVersions, differences } from './harness/schema-comparison.js'

// Our schemas say what Kafka's own message definitions say, field by field, in every version that we speak. What only
// KIP-1275 has is in no released Kafka, so in no jar:
const WITHOUT_DEFINITION = new Set(['GetReplicaLogInfo'])
const VERSIONS_IN_THE_JAR: ReadonlyMap<string, readonly [number, number]> = new Map([['ElectLeaders', [0, 2]]])

function asReleased(ours: AnyRpc): AnyRpc {
  return { ...ours, versions: VERSIONS_IN_THE_JAR.get(ours.name) ?? ours.versions }
}

const compared = [...ALL_RPCS, ...HARNESS_RPCS].filter(({ name }) => !WITHOUT_DEFINITION.has(name)).map(asReleased)

describe('4.4.0', async () => {
  const jars = await kafkaJars('4.4.0')

  test.each(compared.map((ours) => [ours.name, ours] as const))(
    '%s is as in the jar, in every version',
    async (name, ours) => {
      const theirs = await rpcDefinition(jars, name)
      expect(theirs).not.toBeNull()
      expect(differences(ours, theirs!, { wholeRange: true })).toEqual([])
    },
  )

  test('the exceptions are still ones: no definition of GetReplicaLogInfo, no ElectLeaders 3, key 93 is something else', async () => {
    expect(await rpcDefinition(jars, 'GetReplicaLogInfo')).toBeNull()
    expect((await rpcDefinition(jars, 'ElectLeaders'))?.request.validVersions).toBe('0-2')
    expect((await rpcDefinition(jars, 'StreamsGroupTopologyDescriptionUpdate'))?.request.apiKey).toBe(93)
  })
})

describe('3.9.2', async () => {
  const jars = await kafkaJars('3.9.2')

  test.each(compared.map((ours) => [ours.name, ours] as const))(
    '%s: the versions that it has are the same',
    async (name, ours) => {
      const theirs = await rpcDefinition(jars, name)
      expect(theirs).not.toBeNull()
      expect(commonVersions(ours, theirs!)).toBeGreaterThan(0)
      expect(differences(ours, theirs!, { wholeRange: false })).toEqual([])
    },
  )
})

describe('a schema that is wrong is found out', async () => {
  const jars = await kafkaJars('4.4.0')
  const logDirs = DescribeLogDirs
  const { isCordoned: _left, ...withoutCordoned } = resultFields()
  const { errorCode, logDir, ...restOfResult } = resultFields()

  // biome-ignore lint/suspicious/noExplicitAny: schemas bent out of shape on purpose
  function resultFields(): any {
    const { of } = logDirs.response.results as { of: { fields: object } } & typeof logDirs.response.results
    return { ...of.fields }
  }
  function withResults(fields: object): AnyRpc {
    return { ...logDirs, response: { ...logDirs.response, results: { kind: 'array', of: { kind: 'struct', fields } } } }
  }

  const wrong: [string, AnyRpc, RegExp][] = [
    ['api key', { ...logDirs, apiKey: 36 }, /DescribeLogDirs: api key 36, Kafka's is 35/],
    ['a version that Kafka does not have', { ...logDirs, versions: [1, 6] }, /DescribeLogDirs 6: Kafka has only 1-5/],
    ['where flexible begins', { ...logDirs, flexibleFrom: 3 }, /DescribeLogDirs 2 request: flexible from 3/],
    [
      'type',
      withResults({ ...resultFields(), totalBytes: since(4, int32, -1) }),
      /DescribeLogDirs 4 response results totalBytes: int32, Kafka's is int64/,
    ],
    [
      'type of a nested field',
      withResults({ ...resultFields(), logDir: array(string) }),
      /results logDir: \[\]string, Kafka's is string/,
    ],
    [
      'order',
      withResults({ logDir, errorCode, ...restOfResult }),
      /results: fields \[logDir, errorCode, .*Kafka's are \[errorCode, logDir,/,
    ],
    ['a field that is missing', withResults(withoutCordoned), /DescribeLogDirs 5 response results: fields/],
    [
      'a field that is too much',
      withResults({ ...resultFields(), more: bool }),
      /DescribeLogDirs 1 response results: fields/,
    ],
    [
      'the version a field begins with',
      withResults({ ...resultFields(), totalBytes: since(3, int64, -1n) }),
      /DescribeLogDirs 3 response results: fields/,
    ],
    [
      'fallback',
      withResults({ ...resultFields(), totalBytes: since(4, int64, 0n) }),
      /totalBytes: fallback "0n", Kafka's is "-1n"/,
    ],
    [
      'null as fallback where Kafka names a default',
      { ...ApiVersions, response: { ...ApiVersions.response, throttleTimeMs: since(1, nullable(int32), null) } },
      /ApiVersions 1 response throttleTimeMs: fallback null, Kafka's is 0/,
    ],
    [
      'nullability',
      withResults({ ...resultFields(), logDir: nullable(string) }),
      /logDir: string\?, Kafka's is string/,
    ],
    [
      'name',
      { ...logDirs, request: { subjects: logDirs.request.topics } },
      /fields \[subjects\], Kafka's are \[topics\]/,
    ],
    [
      'the version from which null is allowed',
      { ...Metadata, response: { ...Metadata.response, clusterId: since(2, nullable(string, 3), null) } },
      /Metadata 2 response clusterId: string, Kafka's is string\?/,
    ],
    [
      'tag number',
      { ...ApiVersions, response: { ...ApiVersions.response, zkMigrationReady: tagged(4, 3, bool, false) } },
      /ApiVersions 3 response: tag 4 is zkMigrationReady, Kafka's is nothing/,
    ],
    [
      'the version from which a tag is sent',
      { ...ApiVersions, response: { ...ApiVersions.response, zkMigrationReady: tagged(3, 4, bool, false) } },
      /ApiVersions 3 response: tag 3 is nothing, Kafka's is zkMigrationReady/,
    ],
  ]
  test.each(wrong)('%s', async (_what, schema, complaint) => {
    const theirs = await rpcDefinition(jars, schema.name)
    expect(differences(schema, theirs!, { wholeRange: true }).join('\n')).toMatch(complaint)
  })
})
