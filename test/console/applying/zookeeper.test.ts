import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/console/layout/line.js'
import { compareLines } from '../../../src/console/screens/compare/compare-lines.js'
import { comparedPartition } from '../../../src/console/screens/compare/compared.js'
import { settled, WatchedNight } from '../../recovery/live/watched-night.js'
import { NightConsole } from '../app/night-console.js'

// In ZooKeeper mode another controller decides, by rules of its own: the console shows and compares as always, but elects only if the method was
// named, and says so before anything is typed. There the last leader stays in the ISR, and no ELR is told.

function night() {
  const cluster = new WatchedNight({ 1: 'up', 2: 'up', 3: 'down' }).add(
    'orders',
    0,
    { 1: 100, 2: 90, 3: 120 },
    { isr: [3], elr: null, lastKnownElr: null },
  )
  cluster.mode = 'zookeeper'
  return cluster
}

async function planned(console: NightConsole) {
  await console.read()
  await console.press('b')
  await console.press(`${console.wanted}\r`)
  await settled()
}

describe('a console in ZooKeeper mode', () => {
  it('groups by the ISR, and says that no ELR was told', async () => {
    const console = new NightConsole(night())
    await console.read()
    const inB = console.data.diagnosis?.groups.find(({ id }) => id === 'B')?.partitions
    expect(inB).toMatchObject([{ topic: 'orders', partition: 0 }])
    const compared = comparedPartition(console.data, 'orders-0')
    const parts = { name: 'orders-0', compared, place: '', cursor: null, details: false }
    const text = compareLines(parts, console.data, 100, console.view.look, true).map(plainText).join('\n')
    expect(text).toContain('ISR 3')
    expect(text).toContain('ELR not told')
    await console.close()
  })

  it('refuses to elect before anything is typed, and names the option', async () => {
    const console = new NightConsole(night())
    await planned(console)
    expect(console.screen).toBe('plan')
    await console.press('a')
    expect(console.wanted).toBeNull()
    expect(console.ui.notice?.text).toContain('ZooKeeper mode')
    expect(console.ui.notice?.text).toContain('--election-method reorder')
    expect(console.orders).toEqual([])
    await console.close()
  })

  it('elects with the method named, and the run knows the mode', async () => {
    const console = new NightConsole(night(), { method: 'reorder' })
    await planned(console)
    await console.press('a')
    expect(console.wanted).toBe('elect 1 night')
    await console.press('elect 1 night\r')
    await settled(() => console.orders.length > 0)
    expect(console.orders).toMatchObject([
      { mode: 'zookeeper', plan: { partitions: [{ topic: 'orders', partition: 0 }] } },
    ])
    await console.close()
  })
})
