import { describe, expect, test } from 'vitest'
import { documentOf, ownFolder, recovery, simulators, unclean } from './harness.js'
import { rackWithoutPower } from './night.js'

const folder = ownFolder()
const simulated = simulators()
const linesOf = (text: string) => text.split('\n')

describe('1,200 of 1,800 partitions offline', () => {
  test('status fits 60 lines, the sum and what comes next stand last; --all lists every one', async () => {
    const { server } = await simulated(rackWithoutPower())
    const { stdout } = await recovery('status', ...server)
    const lines = linesOf(stdout)
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(stdout).toMatch(/^OFFLINE: 1,200 of 1,800 partitions, in 4 topics$/m)
    expect(stdout).toMatch(/^clickstream +450 +1 \(150\) 2 \(150\) 3 \(150\)$/m)
    const last = lines.slice(-6)
    expect(last[0]).toBe('under min ISR: 1,200 partitions, all of them offline')
    expect(last[1]).toMatch(/^in sum: 1,200 partitions OFFLINE, 0 more under min ISR, 3 brokers away, .*no alarms$/)
    expect(last[2]).toMatch(/^next: /)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400)

    const all = await recovery('status', '--all', ...server)
    expect(all.stdout.match(/^(orders|payments\.transactions\.settled|clickstream|audit)-\d+ /gm)).toHaveLength(1_200)
  })

  test('plan: topics, the worst, warnings and what is left in groups, the totals last; each by name on stderr', async () => {
    const { server } = await simulated(rackWithoutPower())
    const { stdout, stderr, exit } = await recovery('plan', '--all-offline-partitions', ...server)
    expect(exit).toBe(1)
    expect(linesOf(stdout).length).toBeLessThanOrEqual(60)
    expect(stdout).toMatch(/^warning betterMissing: \d+ partitions: /m)
    expect(stdout).toMatch(/^left noCandidate: \d+ partitions: .*Way on: start broker/m)
    const totals = linesOf(stdout).slice(-6)
    expect(totals[0]).toMatch(/: 1,150 partitions planned, 50 left to the operator, 0 with a leader already$/)
    expect(totals[1]).toMatch(
      /^to elect: 1,150 \(.*\), lost at least [\d,]+ \+ \?, of it committed at least [\d,]+ \+ \?$/,
    )
    expect(totals[2]).toBe('left to the operator: noCandidate 50')
    // A script finds each of them.
    expect(stderr.match(/^audit-\d+: noCandidate: /gm)).toHaveLength(50)

    const all = await recovery('plan', '--all-offline-partitions', '--all', ...server)
    expect(all.stdout.match(/^\S+-\d+ +\d+ +(reorder|unclean) /gm)).toHaveLength(1_150)
    expect(all.stdout.match(/: warning betterMissing: /g)).toHaveLength(1_150)
  })

  test('replicas: some of every topic, then a line for each; JSON has all', async () => {
    const { server } = await simulated(rackWithoutPower())
    const { stdout } = await recovery('replicas', '--all-offline-partitions', ...server)
    expect(linesOf(stdout).length).toBeLessThanOrEqual(60)
    for (const topic of ['orders', 'payments.transactions.settled', 'clickstream', 'audit']) {
      expect(stdout).toMatch(new RegExp(`^${topic}-\\d+ `, 'm'))
      expect(stdout).toMatch(new RegExp(`^${topic} +\\d+ `, 'm'))
    }
    const { partitions } = documentOf(await recovery('replicas', '--all-offline-partitions', '--json', ...server))
    expect(partitions).toHaveLength(1_200)
  })

  test('elect: what failed in groups, the sum last, then how to check it', async () => {
    const { server } = await simulated(rackWithoutPower())
    const file = folder.path('large.json')
    await recovery('plan', '--all-offline-partitions', '--output', file, ...server)
    const { stdout, stderr } = await recovery('elect', '--plan', file, '--yes', ...server)
    expect(linesOf(stdout).length).toBeLessThanOrEqual(30)
    const last = linesOf(stdout).slice(-4)
    expect(last[0]).toMatch(/^lost by the 1,150 elected: predicted at least ([\d,]+) \+ \?, measured \1 \+ \?$/)
    expect(last[1]).toMatch(/^1,150 elected, 50 skipped in /)
    expect(last[2]).toBe('next: check with:')
    expect(stdout).toMatch(/^skipped: \d+ partitions: no replica can be elected/m)
    expect(stderr.match(/^audit-\d+: skipped: /gm)).toHaveLength(50)
  })

  test('a dry run of the KIP tool fits the same, with the requests by topic', async () => {
    const { server } = await simulated(rackWithoutPower())
    const { stdout } = await unclean('--all-offline-partitions', '--automated-recovery', '--dry-run', ...server)
    expect(linesOf(stdout).length).toBeLessThanOrEqual(90)
    expect(stdout).toMatch(/^ {2}ElectLeaders v2 .*\n {4}clickstream: \d+ partitions$/m)
  })
})
