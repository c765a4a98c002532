import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/config/config-error.js'
import { javaTrim, readJavaProperties } from '../../src/config/java-properties.js'

interface Measured {
  readonly text: string
  readonly refused?: true
  readonly entries?: Record<string, string>
}

const measured = JSON.parse(
  readFileSync(new URL('./fixtures/java-properties-17.json', import.meta.url), 'utf8'),
) as Measured[]

const read = (text: string) => readJavaProperties(Buffer.from(text), 'client.properties')
const values = (text: string) => Object.fromEntries([...read(text).entries].map(([key, { value }]) => [key, value]))

describe('properties files', () => {
  test('are read as java.util.Properties reads them (measured)', () => {
    expect(measured.length).toBeGreaterThan(500)
    for (const { text, refused, entries } of measured) {
      if (refused) expect(() => read(text), JSON.stringify(text)).toThrow(ConfigError)
      else expect(values(text), JSON.stringify(text)).toEqual(entries)
    }
  })

  test('give back any key and value that was written with escapes', () => {
    const escaped = (text: string) =>
      [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' }), (key, value) => {
        expect([...read(`${escaped(key)}=${escaped(value)}`).entries.values()]).toEqual([{ key, value, line: 1 }])
      }),
    )
  })

  test('know the line of each key, with continuations, comments and all line ends', () => {
    const { entries } = read('# c\r\na=1\\\r\n  2\r\n\r\nb=3\rc=4\n')
    expect([...entries.values()]).toEqual([
      { key: 'a', value: '12', line: 2 },
      { key: 'b', value: '3', line: 5 },
      { key: 'c', value: '4', line: 6 },
    ])
  })

  test('warn of a duplicate, the last one counts', () => {
    const { entries, warnings } = read('a=1\nb=2\na=3\n')
    expect(entries.get('a')).toEqual({ key: 'a', value: '3', line: 3 })
    expect(warnings).toEqual(['client.properties:3: a is set a second time (first on line 1); the last one counts'])
  })

  test('warn of a backslash that blanks keep from continuing its line, and not of an escaped one', () => {
    expect(read('a=1\nb=2\\ \n').warnings).toEqual([expect.stringMatching(/^client\.properties:2: the backslash /)])
    expect(read('b=2\\\\ \n# c\\ \n').warnings).toEqual([])
  })

  test('warn of raw characters that Kafka itself reads as ISO-8859-1', () => {
    expect(read('# café\na=1\nb=café\n').warnings).toEqual([
      expect.stringMatching(/^client\.properties:3: .*ISO-8859-1/),
    ])
    expect(readJavaProperties(Buffer.from('b=café'), 'f', 'UTF-8').warnings).toEqual([])
  })

  test.each([
    ['UTF-16 with a mark', Buffer.from('\ufeffa=b', 'utf16le')],
    ['UTF-16 without one', Buffer.from('a=b', 'utf16le')],
    ['ISO-8859-1', Buffer.from('a=caf\u00e9', 'latin1')],
  ])('that are %s: not UTF-8', (_name, bytes) => {
    expect(() => readJavaProperties(bytes, 'f')).toThrow(/^f: not UTF-8/)
  })

  test('with a malformed escape: the line is named, the value is not', () => {
    expect(() => read('a=1\npassword=geheim\\u12')).toThrow(/^client\.properties:2: malformed/)
    expect(() => read('a=1\npassword=geheim\\u12')).not.toThrow(/geheim/)
  })

  test('values are trimmed as String.trim does', () => {
    expect(javaTrim('\u0000\t a b \u001f\n')).toBe('a b')
    expect(javaTrim('\u00a0a\u2003')).toBe('\u00a0a\u2003')
  })
})
