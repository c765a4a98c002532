import { execa } from 'execa'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandLines, connectionWords, startedAs } from '../../src/cli/command-line.js'

describe('a command that can be copied', () => {
  test('begins as this program was started', () => {
    const here = { cwd: '/work/main', path: '/usr/bin:/usr/local/bin' }
    expect(startedAs('kafka-recovery', '/usr/local/bin/kafka-recovery', here)).toEqual(['kafka-recovery'])
    expect(startedAs('kafka-recovery', '/opt/k/bin/kafka-unclean-recovery', here)).toEqual([
      '/opt/k/bin/kafka-recovery',
    ])
    expect(startedAs('kafka-recovery', '/work/main/bin/kafka-unclean-recovery.js', here)).toEqual([
      'node',
      'bin/kafka-recovery.js',
    ])
    expect(startedAs('kafka-recovery', '/elsewhere/bin/kafka-recovery.js', here)).toEqual([
      'node',
      '/elsewhere/bin/kafka-recovery.js',
    ])
  })

  test('is connected as this one is, but may write', () => {
    expect(
      connectionWords({
        bootstrapServer: 'a:1,b:2',
        commandConfig: 'client.properties',
        brokerEndpoint: ['1=c:3', '2=[::1]:4'],
        requestTimeoutMs: 5000,
        readOnly: true,
        verbose: true,
      }),
    ).toEqual([
      ...['--bootstrap-server', 'a:1,b:2', '--command-config', 'client.properties'],
      ...['--broker-endpoint', '1=c:3', '--broker-endpoint', '2=[::1]:4', '--request-timeout-ms', '5000'],
    ])
  })

  test('means the same to a shell, however wide the terminal is', async () => {
    const cases = fc.sample(
      fc.tuple(
        fc.array(fc.stringMatching(/^[ -~]{0,25}$/), { minLength: 1, maxLength: 8 }),
        fc.option(fc.integer({ min: 20, max: 100 }), { nil: null }),
      ),
      40,
    )
    const script = cases.map(([words, width]) => commandLines(['show', ...words], width).join('\n')).join('\n')
    const { stdout } = await execa('bash', ['-c', `show() { printf '[%s]' "$@"; echo; }\n${script}`])
    expect(stdout.split('\n')).toEqual(cases.map(([words]) => words.map((word) => `[${word}]`).join('')))
  })
})
