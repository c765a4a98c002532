import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { partitionName } from '../../../src/cluster/snapshot.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { lineWidth } from '../../../src/console/layout/line.js'
import { lossText } from '../../../src/console/screens/listing/partition-cells.js'
import { scopeParams } from '../../../src/console/screens/listing/partition-lists.js'
import { comparePartition } from '../../../src/recovery/comparison/comparison.js'
import { decisionRow } from '../../../src/recovery/diagnosis/decision-row.js'
import { checkScenario } from '../../../src/simulator/scenario.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'
import { listNamedScenarios, loadNamedScenario } from '../../../src/simulator/scenarios/named.js'
import { DrawnConsole, dataOf, type Frame } from './shown-scenario.js'

// Every view, drawn for every demo scenario and every case, at three sizes: nothing is wider than the screen, and the numbers are those of the
// diagnosis.

const CASES = new URL('../../cases/scenarios/', import.meta.url)
const scenarios: readonly (readonly [string, () => Scenario])[] = [
  ...listNamedScenarios().map(({ name }) => [name, () => loadNamedScenario(name)] as const),
  ...readdirSync(CASES)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.expected.json'))
    .map((file) => [file, () => checkScenario(JSON.parse(readFileSync(new URL(file, CASES), 'utf8')), file)] as const),
]
const SIZES = [
  [80, 24],
  [120, 40],
  [60, 20],
] as const

/** Every view that this cluster can have. */
function everyView(data: ConsoleData, columns: number, rows: number): [string, Frame][] {
  const frames: [string, Frame][] = []
  const draw = (name: string, screen?: string, params: Readonly<Record<string, string>> = {}) => {
    const drawn = new DrawnConsole(data, { columns, rows })
    frames.push([name, screen === undefined ? drawn.frame() : drawn.show(screen, params)])
  }
  draw('partitions')
  for (const { id } of data.diagnosis!.groups) {
    draw(`group ${id}`, 'group', scopeParams({ group: id }))
    draw(`topics ${id}`, 'topics', { group: id })
  }
  draw('all', 'group', scopeParams({ group: 'all' }))
  for (const partition of data.diagnosis!.partitions.slice(0, 20)) {
    const name = partitionName(partition)
    draw(`compare ${name}`, 'compare', { partition: name })
    draw(`details ${name}`, 'compare', { partition: name, details: 'yes' })
  }
  for (const { code, broker } of data.diagnosis!.alarms) {
    draw(`alarm ${broker}`, 'alarm', { code, ...(broker === null ? {} : { broker: String(broker) }) })
  }
  draw('log-dirs', 'log-dirs')
  for (const { broker, path, state } of data.watched.snapshot!.logDirs ?? []) {
    if (state === 'offline') draw(`dir ${path}`, 'dir', { dir: `${broker} ${path}` })
  }
  draw('brokers', 'brokers')
  draw('activity', 'activity')
  return frames
}

describe.each(scenarios)('%s', (_name, scenario) => {
  let data: ConsoleData
  beforeAll(async () => {
    data = await dataOf(scenario())
  })

  it.each(SIZES)('fits into %ix%i, in every view', (columns, rows) => {
    for (const [name, frame] of everyView(data, columns, rows)) {
      const wide = frame.lines.filter((line) => lineWidth(line) > columns)
      expect(wide, `${name} at ${columns}x${rows}`).toEqual([])
      expect(frame.lines.length, `${name} at ${columns}x${rows}\n${frame.text}`).toBeLessThanOrEqual(rows)
    }
  })

  it.each(SIZES)('says at %ix%i that it is simulated, how much is offline, and every alarm whole', (columns, rows) => {
    const { overview, alarms } = data.diagnosis!
    for (const [name, { text, header }] of everyView(data, columns, rows)) {
      expect(text, name).toContain('SIMULATED')
      const spoken = header.join(' ').replace(/\s+/g, ' ')
      for (const alarm of alarms) expect(spoken, name).toContain(alarm.text)
      const missing = [...overview.brokers.down, ...overview.brokers.fenced]
      if (!name.startsWith('compare') && !name.startsWith('details')) {
        for (const broker of missing) expect(spoken, name).toMatch(new RegExp(`\\b${broker}\\b`))
      }
    }
    const { text } = new DrawnConsole(data, { columns, rows }).frame()
    if (overview.offline > 0) expect(text).toContain(`${overview.offline} OFFLINE of ${overview.partitions}`)
    else expect(text).toContain(`No partition is offline, of ${overview.partitions}`)
    expect(text).toContain('Nothing has been sent.')
  })

  it("shows each group's count and loss, and in its list each partition's", () => {
    const { groups, context } = data.diagnosis!
    const { body } = new DrawnConsole(data, { columns: 120, rows: 40 }).frame()
    for (const { id, partitions, loss } of groups) {
      const row = body.find((line) => new RegExp(`^[> ]  ${id}  `).test(line))
      const end = loss === null || partitions.length === 0 ? '' : ` +${literal(lossText(loss))}`
      expect(row).toMatch(new RegExp(` ${partitions.length}${end}$`))
      const list = new DrawnConsole(data, { columns: 120, rows: 40 }).show('group', scopeParams({ group: id })).body
      for (const partition of partitions.slice(0, 20)) {
        const shown = list.find((line) => line.slice(3).startsWith(`${partitionName(partition)} `))
        const { loss: lost, best } = decisionRow(partition, context.internalTopics)
        expect(shown, partitionName(partition)).toMatch(
          new RegExp(` ${best === null ? 'none' : best.broker} .*${literal(lost === null ? '-' : lossText(lost))}$`),
        )
      }
    }
  })

  it('compares every partition as the comparison has it; what is open is never a bare number', () => {
    const { partitions, context, brokers } = data.diagnosis!
    for (const partition of partitions) {
      const evidence = partition.decided?.evidence
      if (evidence == null) continue
      const comparison = comparePartition(evidence, context, { brokers })
      const { body } = new DrawnConsole(data, { columns: 120, rows: 80 }).show('compare', {
        partition: partitionName(partition),
      })
      for (const replica of comparison.replicas) {
        const row = body.find((line) => new RegExp(`^ [> ] ${replica.broker}  \\S`).test(line))
        expect(row, `${partitionName(partition)} on ${replica.broker}`).toBeDefined()
        if (replica.log === null) expect(row).toContain('not read')
        else expect(row).toContain(` ${replica.log.logEndOffset.toLocaleString('en-US')} `)
      }
      for (const { broker, by, loss, unread } of comparison.candidates) {
        const row = body.find((line) => new RegExp(`^ [> ] ${broker}  \\((rank|by hand)\\)`).test(line))
        expect(row).toContain(by === 'rank' ? '(rank)' : '(by hand)')
        expect(row?.endsWith(` ${lossText({ atLeast: loss.atLeast, open: loss.known === null })}`)).toBe(true)
        if (unread.length > 0) expect(row).toMatch(/\+ \?$/)
        for (const other of unread) expect(row).toContain(`${other}: ?`)
      }
      for (const { broker, disk, text } of comparison.ifStarted) {
        expect(body.join('\n')).toContain(`IF ${broker} STARTS  ${disk} disk`)
        expect(body.join(' ').replace(/\s+/g, ' ')).toContain(text)
      }
    }
  })
})

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
