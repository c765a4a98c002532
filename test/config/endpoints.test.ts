import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBootstrapServers } from '../../src/config/bootstrap-servers.js'
import { parseBrokerEndpoints } from '../../src/config/broker-endpoint.js'

const port = fc.integer({ min: 1, max: 65_535 })
const host = fc.oneof(
  fc.domain().map((name) => ({ written: name, host: name })),
  fc.ipV4().map((ip) => ({ written: ip, host: ip })),
  fc.ipV6().map((ip) => ({ written: `[${ip}]`, host: ip })),
)

describe('bootstrap servers', () => {
  test('any host and port is read back', () => {
    fc.assert(
      fc.property(host, port, ({ written, host }, port) => {
        expect(parseBootstrapServers(`${written}:${port}`, 'x')).toEqual([{ host, port }])
      }),
    )
  })

  test('a list, blanks around its commas, duplicates once', () => {
    expect(parseBootstrapServers(' b1:9092 , [::1]:9093,B1:9092', 'x')).toEqual([
      { host: 'b1', port: 9092 },
      { host: '::1', port: 9093 },
    ])
  })

  test.each([
    ['', 'no server is named'],
    ['a:1,', 'an entry of the list is empty'],
    ['broker1', 'host:port is expected'],
    ['broker1:', 'host:port is expected'],
    [':9092', 'not a host name'],
    ['broker1:0', 'the port has to be between'],
    ['broker1:70000', 'the port has to be between'],
    ['::1:9092', 'has to stand in brackets'],
    ['::1', 'has to stand in brackets'],
    ['[nonsense]:9092', 'not an IPv6 address'],
    ['http://broker1:9092', 'host:port is expected'],
    ['bro ker:9092', 'not a host name'],
    ['a\u001b[31m:1', 'host:port is expected'],
  ])('%j is refused in one line', (text, cause) => {
    expect(() => parseBootstrapServers(text, '--bootstrap-server')).toThrow(`--bootstrap-server: `)
    expect(() => parseBootstrapServers(text, 'x')).toThrow(cause)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may reach a terminal
    expect(() => parseBootstrapServers(text, 'x')).not.toThrow(/[\u0000-\u001f]/)
  })

  test('a login before an @ is not repeated', () => {
    expect(() => parseBootstrapServers('u:geheim@h:1', 'x')).not.toThrow(/geheim/)
  })
})

describe('broker endpoints', () => {
  test('ID=host:port, by id', () => {
    expect(parseBrokerEndpoints(['1=127.0.0.1:19091', '2=[::1]:19092'])).toEqual(
      new Map([
        [1, { host: '127.0.0.1', port: 19091 }],
        [2, { host: '::1', port: 19092 }],
      ]),
    )
  })

  test.each([['x=h:1'], ['-1=h:1'], ['1.5=h:1'], ['2147483648=h:1'], ['1'], ['1=h'], ['=h:1']])(
    '%j is refused',
    (text) => {
      expect(() => parseBrokerEndpoints([text])).toThrow(/^--broker-endpoint: /)
    },
  )

  test('a broker that is named twice is refused', () => {
    expect(() => parseBrokerEndpoints(['1=h:1', '1=h:2'])).toThrow('broker 1 is named twice')
  })
})
