import { readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { caseFile, contentsOf, documentOf, ownFolder, recovery, simulators, unclean, WRITES } from './harness.js'

// Every file of cases/partitions, given to the real executables, with the cluster of longer-log-older-epoch.

const folder = ownFolder()
const simulated = simulators()
const file = (name: string) => caseFile(`partitions/${name}.json`)

const TAKEN = ['kip-1275', 'leader-election-form', 'bom', 'reassign-form', 'designated']
const REFUSED: Record<string, RegExp> = {
  duplicate: /orders-1 .*\(partitions\[0\]\.partitions\[1\]\)/,
  'string-number': /the string "0"/,
  negative: /found -1/,
  fraction: /found 0\.5/,
  array: /found a list/,
  'empty-list': /the list is empty/,
  'empty-file': /the file is empty/,
  'trailing-comma': /line 3,/,
  utf16: /UTF-16/,
}
const BY_NAME = ['unknown-topic', 'leader-outside-replicas']

test('no file of the folder is left out', () => {
  const names = readdirSync(caseFile('partitions')).map((name) => name.replace(/\.json$/, ''))
  expect([...TAKEN, ...Object.keys(REFUSED), ...BY_NAME].sort()).toEqual(names.sort())
})

describe('--path-to-json-file', () => {
  test.each(TAKEN)('%s: the partition is taken and elected', async (name) => {
    const { server } = await simulated('longer-log-older-epoch')
    const ran = await unclean('--path-to-json-file', file(name), '--automated-recovery', '--json', ...server)
    expect(documentOf(ran)).toMatchObject({
      outcome: [{ topic: 'orders', partition: 0, result: 'elected', leader: 2, loss: { predicted: 80, measured: 80 } }],
      summary: { elected: 1 },
    })
    expect(ran.exit).toBe(0)
    if (name === 'designated') expect(ran.stderr).toMatch(/designatedLeader is ignored here/)
    else expect(ran.stderr).not.toContain('ignored')
  })

  test.each(Object.entries(REFUSED))('%s: refused, exit 2, nothing sent', async (name, message) => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    for (const args of [
      ['--path-to-json-file', file(name), '--automated-recovery', ...server],
      ['--path-to-json-file', file(name), '--manual-recovery-output-file', folder.path('never'), ...server],
    ]) {
      const ran = await unclean(...args)
      expect(ran).toMatchObject({ exit: 2, stdout: '' })
      expect(ran.stderr).toMatch(message)
      expect(ran.stderr).toContain(`${name}.json`)
      expect(ran.stderr.split('\n')).toHaveLength(1)
    }
    const elect = await recovery('elect', '--plan', file(name), '--yes', '--json', ...server)
    expect(documentOf(elect)).toMatchObject({ error: { exit: 2, message: expect.stringMatching(message) } })
    expect(requests).toEqual([])
  })

  test('unknown-topic: that partition fails by name, exit 1; asking creates nothing', async () => {
    const { server, requests, simulator } = await simulated('longer-log-older-epoch')
    const before = contentsOf(simulator)
    const ran = await unclean('--path-to-json-file', file('unknown-topic'), '--automated-recovery', '--json', ...server)
    expect(documentOf(ran)).toMatchObject({
      outcome: [{ topic: 'no-such-topic', partition: 0, result: 'failed', code: 'unknownTopic' }],
    })
    expect(ran.exit).toBe(1)
    expect(ran.stderr).toMatch(/^no-such-topic-0: /m)
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
    expect(before).toHaveLength(1)
    expect(contentsOf(simulator)).toEqual(before)
  })
})

describe('elect --plan', () => {
  test('designated: taken', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const ran = await recovery('elect', '--plan', file('designated'), '--yes', '--json', ...server)
    expect(documentOf(ran)).toMatchObject({ outcome: [{ result: 'elected', leader: 2, designatedLeader: 2 }] })
    expect(ran.exit).toBe(0)
  })

  test('leader-outside-replicas: that partition fails by name, exit 1, nothing is written', async () => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    const ran = await recovery('elect', '--plan', file('leader-outside-replicas'), '--yes', ...server)
    expect(ran.exit).toBe(1)
    expect(ran.stderr).toMatch(/^orders-0: .*broker 9 is not among its replicas/m)
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('a list without leaders is refused, and told what would be right', async () => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    const ran = await recovery('elect', '--plan', file('kip-1275'), '--yes', ...server)
    expect(ran.exit).toBe(2)
    expect(ran.stderr).toContain('no "designatedLeader"')
    expect(requests).toEqual([])
  })
})

test('thousands of fields that mean nothing are one line that can be read', async () => {
  const { server } = await simulated('longer-log-older-epoch')
  const path = folder.path('many-fields.json')
  const fields = Array.from({ length: 5_000 }, (_, i) => [`field${i}`, 1])
  writeFileSync(
    path,
    JSON.stringify({ partitions: [{ topic: 'orders', partition: 0, ...Object.fromEntries(fields) }] }),
  )
  const { exit, stderr } = await recovery('plan', '--path-to-json-file', path, ...server)
  expect(exit).toBe(0)
  expect(stderr).toContain('field0, ')
  expect(stderr).toContain('and 4980 more')
})
