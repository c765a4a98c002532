import { describe, expect, test } from 'vitest'
import { contentsOf, ownFolder, recovery, simulators, start } from './harness.js'

const folder = ownFolder()
const simulated = simulators()

const PARTITIONS = 2_500

const REPLICAS = [3, 1, 2]

/** Broker 2 has more, 1 stands before it: each assignment has to be re-ordered. Elections take long enough to be interrupted in one. */
const MANY = {
  clusterId: 'SIMULATED-many',
  personality: 'stock',
  brokers: [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/d'] })),
  topics: [
    {
      name: 'many',
      partitions: Array.from({ length: PARTITIONS }, (_, partition) => ({
        partition,
        assignment: REPLICAS,
        leader: -1,
        leaderEpoch: 4,
        isr: [],
        elr: [3],
        lastKnownElr: [3],
        logs: Object.fromEntries(
          [
            [1, 90],
            [2, 100],
          ].map(([broker, end]) => [broker, { logDir: '/d', logStartOffset: 0, logEndOffset: end, epochs: [[0, 0]] }]),
        ),
      })),
    },
  ],
  faults: [
    { broker: 1, api: 'ElectLeaders', delayMs: 1_500 },
    { broker: 2, api: 'ElectLeaders', delayMs: 1_500 },
  ],
}

describe('a signal in a batch: it is finished and put back, no other is begun, every partition has its outcome', () => {
  test.each([
    ['kafka-unclean-recovery', 'SIGTERM', 143, '--bootstrap-server'],
    // A profile is read by conf, which listened to signals itself and sent each on a second time.
    ['elect', 'SIGINT', 130, '--profile'],
  ] as const)(
    '%s, %s: exit %i (%s)',
    async (command, signal, exit, how) => {
      const { server, simulator, requests } = await simulated(MANY)
      if (how === '--profile') await recovery('profiles', 'add', `${command}-${signal}`, ...server)
      const connection = how === '--profile' ? ['--profile', `${command}-${signal}`] : server
      const plan = folder.path(`${command}${how}.json`)
      if (command === 'elect') await recovery('plan', '--all-offline-partitions', '--output', plan, ...server)
      const child =
        command === 'elect'
          ? start('kafka-recovery', ['elect', '--plan', plan, '--yes', '--json', ...connection])
          : start(command, ['--all-offline-partitions', '--automated-recovery', '--json', ...connection])
      await expect.poll(() => requests.includes('ElectLeaders')).toBe(true)
      child.kill(signal)
      const { exitCode, stdout, stderr } = await child

      expect(exitCode).toBe(exit)
      const { outcome, summary } = JSON.parse(stdout)
      expect(outcome).toHaveLength(PARTITIONS)
      expect(summary).toEqual({ elected: 1_000, notAttempted: 1_500 })
      expect(stderr).toContain(`${signal}: no new batch is begun`)
      // Told once: it came once.
      expect(stderr).not.toContain('still ending in order')
      expect(requests.filter((api) => api === 'ElectLeaders')).toHaveLength(1)
      const contents = contentsOf(simulator)
      expect(contents.filter(({ leader }) => leader === 2)).toHaveLength(1_000)
      for (const partition of contents) expect(partition.replicas).toEqual(REPLICAS)
      // Nothing is left for restore.
      expect((await recovery('restore', '--json', ...server)).exit).toBe(0)
    },
    60_000,
  )
})
