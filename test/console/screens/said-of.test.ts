import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/console/layout/line.js'
import { planRows } from '../../../src/console/planning/plan-rows.js'
import { rowDetails } from '../../../src/console/planning/row-details.js'
import { codeExplanation } from '../../../src/console/screens/listing/group-words.js'
import { saidOf } from '../../../src/console/screens/listing/said-of.js'
import { ACCEPTABLE_CODES } from '../../../src/recovery/planning/plan.js'
import { WatchedNight } from '../../recovery/live/watched-night.js'
import { NightConsole } from '../app/night-console.js'

// Whatever is left to the operator has its explanation and its way on, in the words of the view that it is told in, and in none of the command line's.

const KEY = { list: /\(enter, c\)/, compare: /\(c\)/, plan: /\(o\).*Compare \(c\)/ } as const

describe('what is left to the operator', () => {
  it.each(
    ACCEPTABLE_CODES.flatMap((code) => (['list', 'compare', 'plan'] as const).map((where) => [code, where] as const)),
  )('%s has its way on in a %s, with its keys', (code, where) => {
    const { what, wayOn } = codeExplanation(code, where)
    expect(what).toMatch(/\.$/)
    expect(wayOn).toMatch(KEY[where])
  })

  it('is told so for every kind that a night can have', async () => {
    const night = new WatchedNight({ 1: 'up', 2: 'up', 3: 'up', 9: 'down' })
      .add('contested', 0, { 1: 100, 2: 90 })
      .add('none', 0, { 9: 10 })
      .add('blocked', 0, { 1: 0, 2: 50 }, { isr: [1] })
      .add('empty', 0, { 1: 0, 9: 50 })
      .add('unread', 0, { 1: 50, 2: undefined as never })
    night.reassigning.add('contested-0')
    const console = new NightConsole(night)
    await console.read()
    await console.press('o')
    await console.press('p')
    if (console.wanted !== null) await console.press(`${console.wanted}\r`)
    const { data } = console
    const codes = new Set<string>()
    for (const partition of data.diagnosis!.partitions) {
      const { decided } = partition
      if (decided === null || 'designatedLeader' in decided) continue
      codes.add(decided.code)
      for (const where of ['list', 'compare'] as const) {
        const said = saidOf(partition, data, where).join(' ')
        expect(said).toMatch(new RegExp(`^${decided.code}: `))
        expect(said).toMatch(/Way on|wait|Stop|stop|Start|Mend|Look|Compare|start/)
        expect(said).not.toContain('--')
      }
    }
    expect([...codes].sort()).toEqual(['blocked', 'empty', 'noCandidate', 'reassigning', 'unread'])
    const { plan } = data
    const rows = planRows(plan!, plan!.now!, {
      width: 76,
      requestTimeoutMs: 1,
      leaderOf: () => null,
      internalTopics: new Set(),
    })
    for (const row of rows) {
      if (row.kind !== 'left') continue
      const text = rowDetails(row, 200).map(plainText).join(' ')
      expect(text).toContain(row.skipped.code)
      expect(text).not.toContain('--accept')
      if (row.overrulable) expect(text).toMatch(KEY.plan)
    }
    await console.close()
  })
})
