import { describe, expect, it } from 'vitest'
import { bottomLines } from '../../../src/console/app/bottom.js'
import type { ActionContext } from '../../../src/console/app/screen.js'
import { lookFor } from '../../../src/console/components/look.js'
import { createRegistry } from '../../../src/console/keys/registry.js'
import { lineWidth, plainText } from '../../../src/console/layout/line.js'
import { lineOf } from '../../../src/console/state/line-edit.js'

// The palette says why a command does nothing now, to the end.

const WHY = 'an ALARM stands on broker 6, and 12 partitions would depend on it: end the alarm first, or take them out'
const look = lookFor({ colours: false, attributes: false, unicode: true, addressable: true, screenReader: false })

function palette(index: number, width: number, height: number): string[] {
  const action = (id: string, enabled: true | string) => ({
    id,
    keys: ['a'],
    label: id,
    scope: id === 'other' ? 'global' : 'plan',
    enabled: () => enabled,
    run: () => {},
  })
  const registry = createRegistry<ActionContext<null>>([action('apply this plan', WHY), action('other', true)])
  const overlay = { kind: 'palette', edit: lineOf(''), index }
  const context = { ui: { overlay, notice: null }, screen: { id: 'plan' }, look } as unknown as ActionContext<null>
  const lines = bottomLines(context, registry, width, height)
  for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width)
  return lines.map(plainText)
}

describe('the palette', () => {
  it('tells the whole reason of the command under the cursor, in lines of its own where it must', () => {
    const lines = palette(0, 80, 12)
    expect(lines.join(' ').replace(/ +/g, ' ')).toContain(`(${WHY})`)
    expect(lines.at(-2)).toMatch(/^ {2}other/)
    expect(palette(0, 160, 12).filter((line) => line.includes('ALARM'))).toEqual([`> apply this plan  a  (${WHY})`])
  })

  it('keeps within its height', () => {
    for (let height = 3; height <= 12; height += 1)
      expect(palette(0, 60, height).length).toBeLessThanOrEqual(Math.max(4, height))
  })
})
