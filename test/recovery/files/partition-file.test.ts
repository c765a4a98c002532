import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePartitionFile } from '../../../src/recovery/files/partition-file.js'

const read = (text: string) => parsePartitionFile(Buffer.from(text), 'f.json')
const entry = (fields: string) => read(`{"partitions":[{"topic":"orders",${fields}}]}`)
const caseFile = (name: string) =>
  parsePartitionFile(readFileSync(new URL(`../../cases/partitions/${name}.json`, import.meta.url)), `${name}.json`)
const names = (file: ReturnType<typeof read>) => file.partitions.map(({ topic, partition }) => `${topic}-${partition}`)

describe('the forms that are taken', () => {
  test.each(['kip-1275', 'leader-election-form', 'bom', 'reassign-form'])('%s', (name) => {
    const file = caseFile(name)
    expect(names(file)).toEqual(['orders-0'])
    expect(file.extraFields).toEqual([])
    expect(file.partitions[0]?.designatedLeader).toBeNull()
  })

  test('a designated leader is told', () => {
    expect(caseFile('designated').partitions).toEqual([
      { topic: 'orders', partition: 0, designatedLeader: 2, path: 'partitions[0].partition' },
    ])
  })

  test('both forms may stand in one file, in its order', () => {
    const file = read('{"partitions":[{"topic":"b","partition":2},{"topic":"a","partitions":[3,0]}]}')
    expect(names(file)).toEqual(['b-2', 'a-3', 'a-0'])
    expect(file.partitions[2]?.path).toBe('partitions[1].partitions[1]')
  })

  test('fields that nobody expects are named once, those of Kafka own files are not', () => {
    const file = read(
      '{"version":1,"note":"x","partitions":[{"topic":"a","partition":0,"leader":3,"replicas":[1]},{"topic":"a","partition":1,"leader":3}]}',
    )
    expect(file.extraFields).toEqual(['note', 'leader'])
  })

  test('any list of distinct partitions comes back as it was', () => {
    const topic = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,30}$/)
    const partitions = fc.uniqueArray(fc.record({ topic, partition: fc.integer({ min: 0, max: 2 ** 31 - 1 }) }), {
      minLength: 1,
      selector: (p) => `${p.topic}-${p.partition}`,
    })
    fc.assert(
      fc.property(partitions, (list) => {
        const file = read(JSON.stringify({ partitions: list }))
        expect(file.partitions.map(({ topic, partition }) => ({ topic, partition }))).toEqual(list)
      }),
    )
  })
})

describe('what is malformed is refused with its place', () => {
  test.each([
    ['duplicate', /line 1, column 86 \(partitions\[1\]\.partitions\[0\]\): orders-1 .*line 1, column 50/],
    ['string-number', /partitions\[0\]\.partition\): a partition number is expected .*the string "0"/],
    ['negative', /partitions\[0\]\.partitions\[0\]\).*found -1/],
    ['fraction', /found 0\.5/],
    ['array', /expected \{"partitions": .*found a list/],
    ['empty-list', /\(partitions\): the list is empty/],
    ['empty-file', /the file is empty/],
    ['trailing-comma', /line 3, column 1: not JSON/],
    ['utf16', /UTF-16/],
  ])('%s', (name, message) => {
    expect(() => caseFile(name)).toThrow(message)
    expect(() => caseFile(name)).toThrow(/^[^\n]+$/)
    expect(() => caseFile(name)).toThrow(new RegExp(`^${name}\\.json: `))
  })

  test.each([
    ['"partition":0,"partitions":[1]', 'both "partition" and "partitions"'],
    ['"partition":2147483648', 'at most 2147483647'],
    ['"partition":-0', 'found -0'],
    ['"partition":1.0', 'a partition number is expected'],
    ['"partition":1e0', 'a partition number is expected'],
    ['"partition":0.99999999999999999999', 'a partition number is expected'],
    ['"partition":null', 'found null'],
    ['"partition":0,"designatedLeader":"2"', 'a broker id is expected'],
    ['"partition":0,"designatedLeader":-1', 'a broker id is expected'],
    ['"partitions":[0],"designatedLeader":1', 'goes with "partition"'],
    ['"partitions":[]', 'the list is empty'],
    ['"partitions":0', 'a list of partition numbers'],
    ['"x":0', '"partition" or "partitions" is missing'],
    ['"partition":0,"partition":1', 'the key "partition" was already given at line 1, column 34'],
    ['"partition":0 /* c */', 'comments are not allowed'],
  ])('%s', (fields, message) => {
    expect(() => entry(fields)).toThrow(message)
  })

  test.each(['a/b', '', '.', '..', 'é', 'a b', 'x'.repeat(250)])('topic name %j', (topic) => {
    expect(() => read(JSON.stringify({ partitions: [{ topic, partition: 0 }] }))).toThrow('no topic name')
  })

  test('a topic of 249 characters is one', () => {
    expect(read(JSON.stringify({ partitions: [{ topic: 'x'.repeat(249), partition: 0 }] })).partitions).toHaveLength(1)
  })

  test.each([
    ['{"partitions":[7]}', 'an object with "topic"'],
    ['{"partitions":[{"partition":0}]}', '"topic" is missing'],
    ['{"partitions":[{"topic":7,"partition":0}]}', 'a topic name is expected, found 7'],
    ['{"partitions":{}}', 'a list is expected, found an object'],
    ['{}', '"partitions" is missing'],
    ['"partitions"', 'found the string "partitions"'],
    ['{"partitions":[{"topic":"a","partition":0}]} x', 'not JSON'],
    ['{"partitions":[{"topic":"a","partition":0}]', 'a closing brace } is missing'],
    [' \n ', 'the file is empty'],
  ])('%s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('absurd nesting ends at a limit, not in a stack overflow', () => {
    expect(() => read('['.repeat(1_000_000))).toThrow('nested deeper than 64')
    expect(() => read('{"a":'.repeat(1_000_000))).toThrow('nested deeper than 64')
  })

  test('bytes that are not UTF-8', () => {
    expect(() => parsePartitionFile(Uint8Array.of(0x7b, 0xff, 0x7d), 'f.json')).toThrow('not UTF-8')
  })

  test('lines are counted with every kind of line end', () => {
    expect(() => read('{\r\n"partitions":\n[{"topic":"a",\n "partition":-5}]}')).toThrow('line 4, column 14')
  })

  test('whatever the bytes: an answer or one line, never another error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          try {
            parsePartitionFile(bytes, 'f.json')
          } catch (error) {
            expect(error).toMatchObject({ name: 'InputFileError', message: expect.stringMatching(/^f\.json: [^\n]+$/) })
          }
        },
      ),
    )
  })
})
