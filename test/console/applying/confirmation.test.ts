import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/console/layout/line.js'
import { planToElect } from '../../../src/console/planning/opened-plan.js'
import { settled, WatchedNight } from '../../recovery/live/watched-night.js'
import { NightConsole } from '../app/night-console.js'

// The last words before the text is typed: what cannot be undone stands there, however long the plan above is.

async function confirmation(console: NightConsole): Promise<string> {
  await console.press('a')
  const { overlay } = console.ui
  if (overlay?.kind !== 'question') throw new Error('nothing is asked')
  return overlay.question.body.map(plainText).join(' ').replace(/ +/g, ' ')
}

describe('the confirmation of an election', () => {
  it('says who may hold more, and counts one request as one', async () => {
    const night = new WatchedNight({ 1: 'up', 2: 'up', 3: 'down' }).add(
      'orders',
      0,
      { 1: 100, 2: 90, 3: 120 },
      { elr: [3], lastKnownElr: [3] },
    )
    const console = new NightConsole(night)
    await console.read()
    await console.press('b')
    await console.press(`${console.wanted}\r`)
    await settled()
    const text = await confirmation(console)
    expect(text).toContain('Of 1 a replica that was not read probably holds more')
    expect(text).toContain('by 1 request to')
    expect(text).not.toContain('Chosen by hand')
    await console.close()
  })

  it('says what was chosen by hand, and that committed data is lost with it', async () => {
    const night = new WatchedNight({ 1: 'up', 2: 'up' }).add('orders', 0, { 1: 100, 2: 80 })
    const console = new NightConsole(night)
    await console.read()
    await console.press('o')
    await console.press('\r')
    await console.press('j')
    await console.press('c')
    await console.press('p')
    await settled()
    const text = await confirmation(console)
    const planned = planToElect(console.data.plan!.now!).partitions[0]
    expect(planned).toMatchObject({ byHand: true, designatedLeader: 2 })
    expect(text).toContain('Chosen by hand: 1.')
    const committed = planned?.committedAtLeast ?? 0
    expect(committed).toBeGreaterThan(0)
    expect(text).toContain(`COMMITTED data is lost: at least ${committed} offsets.`)
    await console.close()
  })
})

describe('a plan with nothing to elect', () => {
  it('does not offer to apply it, and says why to whoever presses the key', async () => {
    const night = new WatchedNight({ 1: 'up', 2: 'up', 3: 'down' }).add('orders', 0, { 1: 100, 2: 90, 3: 120 })
    const console = new NightConsole(night)
    await console.read()
    await console.press('p')
    await settled()
    expect(planToElect(console.data.plan!.now!).partitions).toHaveLength(1)
    expect(console.hints).toContain('apply')
    await console.press('-')
    expect(planToElect(console.data.plan!.now!).partitions).toHaveLength(0)
    expect(console.hints).not.toContain('apply')
    await console.press('a')
    expect(console.ui.overlay).toBeNull()
    expect(console.ui.notice?.text).toMatch(/^There is nothing to elect: /)
    await console.close()
  })
})
