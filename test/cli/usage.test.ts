import { describe, expect, test } from 'vitest'
import { documentOf, ownFolder, recovery, unclean } from './harness.js'

ownFolder()

describe('without a terminal and without a command', () => {
  test('one line names the commands, exit 2', async () => {
    const ran = await recovery()
    expect(ran).toMatchObject({ exit: 2, stdout: '' })
    expect(ran.stderr.split('\n')).toHaveLength(1)
    for (const name of ['status', 'replicas', 'plan', 'elect', 'log-dirs', 'check', 'restore', 'simulate']) {
      expect(ran.stderr).toContain(name)
    }
  })
})

describe('help and version are data, exit 0', () => {
  test.each([['--version'], ['-V']])('%s', async (flag) => {
    for (const program of [recovery, unclean]) {
      const ran = await program(flag)
      expect(ran).toMatchObject({ exit: 0, stderr: '' })
      expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+$/)
    }
  })

  test.each([['--help'], ['status', '--help'], ['help', 'plan'], ['profiles', 'add', '--help']])(
    '%s %s',
    async (...args) => {
      const ran = await recovery(...args)
      expect(ran).toMatchObject({ exit: 0, stderr: '' })
      expect(ran.stdout).toContain('Usage: kafka-recovery')
    },
  )
})

describe('wrong usage is one line on stderr, exit 2, and says what would be right', () => {
  test.each<[string[], RegExp]>([
    [['stauts'], /unknown command 'stauts' \(Did you mean status\?\)/],
    [['stauts', '--bootstrap-server', 'x:1'], /unknown command 'stauts'/],
    [['status', '--bootstrap', 'x'], /unknown option '--bootstrap' \(Did you mean --bootstrap-server\?\)/],
    [['status', '--jsn'], /Did you mean --json\?/],
    [['status', 'extra'], /too many arguments/],
    [['status'], /--bootstrap-server/],
    [['profiles'], /profiles list, profiles show/],
    [['completion', 'csh'], /bash, zsh, fish/],
    [['replicas', 'orders', '--bootstrap-server', '127.0.0.1:1'], /'orders' is no TOPIC-PARTITION/],
    [['replicas', 'a-1', 'a-1', '--bootstrap-server', '127.0.0.1:1'], /a-1 is named twice/],
    [['replicas', 'a-1', '--all-offline-partitions'], /more than one way/],
    [['replicas', '--bootstrap-server', '127.0.0.1:1'], /no partitions are chosen/],
    [['plan', 'a-1', '--accept', 'blocked'], /'blocked' cannot be accepted, only empty, unread/],
    [['plan', 'a-1', '--strategy', 'best'], /rank, longest-log/],
    [['plan', 'a-1', '--recovery-duration-ms', '0'], /integer from 1/],
    [['plan', 'a-1', '--recovery-duration-ms', '1.5'], /integer from 1/],
    [['elect'], /--plan/],
    [['elect', '--plan', '/nonexistent/plan'], /\/nonexistent\/plan: no such file/],
    [['elect', '--plan', '/'], /\/: is a directory/],
    [['status', '--profile', 'none', '--bootstrap-server', 'x:1'], /none/],
    [['status', '--bootstrap-server', 'x'], /host:port is expected/],
    [['status', '--bootstrap-server', 'x:1', '--broker-endpoint', '1'], /BROKER-ID=host:port/],
  ])('%j', async (args, message) => {
    const ran = await recovery(...args)
    expect(ran).toMatchObject({ exit: 2, stdout: '' })
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr.split('\n')).toHaveLength(1)

    const json = await recovery(...args, '--json')
    // completion has no JSON: that too is a usage error, told as JSON.
    expect(json.exit).toBe(2)
    expect(documentOf(json)).toMatchObject({ error: { exit: 2, message: expect.any(String) } })
  })

  test.each<[string[], RegExp]>([
    [['--show-replica-info'], /no partitions are chosen/],
    [['--all-offline-partitions'], /at least one of --show-replica-info/],
    [['--all-offline-partitions', '--path-to-json-file', 'f', '--show-replica-info'], /more than one way/],
    [
      ['--all-offline-partitions', '--automated-recovery', '--manual-recovery-output-file', 'f'],
      /cannot be used with option/,
    ],
    [['--all-offline-partitons'], /Did you mean --all-offline-partitions\?/],
    [['orders-0', '--all-offline-partitions', '--show-replica-info'], /too many arguments|no arguments/],
    [['--all-offline-partitions', '--manual-recovery-output-file', '/'], /exists already/],
    [['--all-offline-partitions', '--manual-recovery-output-file', '/no/such/f'], /does not exist/],
  ])('kafka-unclean-recovery %j', async (args, message) => {
    const ran = await unclean(...args)
    expect(ran).toMatchObject({ exit: 2, stdout: '' })
    expect(ran.stderr).toMatch(message)
    expect(documentOf(await unclean(...args, '--json'))).toMatchObject({ error: { exit: 2 } })
  })
})

describe('no broker reachable: exit 3, which were tried and why', () => {
  test.each([['status'], ['check'], ['log-dirs'], ['restore'], ['plan', 'a-0'], ['replicas', 'a-0']])(
    '%s',
    async (...args) => {
      const server = ['--bootstrap-server', '127.0.0.1:1,[::1]:1']
      const ran = await recovery(...args, ...server)
      expect(ran).toMatchObject({ exit: 3, stdout: '' })
      expect(ran.stderr).toMatch(/127\.0\.0\.1:1: connection refused.*\[::1\]:1/)
      expect(documentOf(await recovery(...args, ...server, '--json'))).toMatchObject({ error: { exit: 3 } })
    },
  )
})
