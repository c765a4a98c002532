import { describe, expect, it } from 'vitest'
import { headerOf } from '../../../src/console/console-header.js'
import { plainText } from '../../../src/console/layout/line.js'
import { alarmLines } from '../../../src/console/screens/alarm/alarm-screen.js'
import { alarmProgress, alarmSteps, stageText } from '../../../src/console/screens/alarm/alarm-steps.js'
import { cameTrueLines } from '../../../src/console/screens/alarm/came-true.js'
import type { Alarm } from '../../../src/recovery/returns/alarms.js'
import { settled, WatchedNight } from '../../recovery/live/watched-night.js'
import { NightConsole } from '../app/night-console.js'

// What the steps of an alarm say at each stage: nothing that is over is asked for any more, and what went wrong is said as it is.

function emptied() {
  return new WatchedNight({ 1: 'up', 2: 'up', 3: 'up' })
    .add('a', 0, { 1: 0, 2: 50 }, { elr: [1], lastKnownElr: [1] })
    .add('a', 1, { 1: 0, 3: 50 }, { elr: [1], lastKnownElr: [1] })
}

async function withAlarm(night: WatchedNight) {
  const console = new NightConsole(night)
  await console.read()
  const alarm = console.data.diagnosis!.alarms[0]!
  await console.press('!')
  const now = async (change: () => void) => {
    change()
    await console.read()
    await settled()
    return told(console, alarm)
  }
  return { console, now, alarm }
}

function told({ data }: NightConsole, alarm: Alarm) {
  const steps = alarmSteps(alarm, data)
  return {
    stage: stageText(alarmProgress(alarm, data)!),
    states: steps.map(({ state }) => state),
    next: steps.filter(({ state }) => state === 'now').map(({ text }) => text),
    done: steps.filter(({ state }) => state === 'done').map(({ text }) => text),
  }
}

const stop = (night: WatchedNight) => night.brokers.set(1, 'down')
const elect = (night: WatchedNight) =>
  night.alter('a-0', { leader: 2, leaderEpoch: 5 }).alter('a-1', { leader: 3, leaderEpoch: 5 })

describe('the steps of an alarm', () => {
  it('go from the stop to the start, each told as done once it is', async () => {
    const night = emptied()
    const { console, now } = await withAlarm(night)
    expect(await now(() => {})).toMatchObject({
      stage: 'The alarm about broker 1 STANDS.',
      states: ['now', 'later', 'later', 'later', 'later'],
      next: [expect.stringContaining('Stop broker 1')],
    })
    const stopped = await now(() => stop(night))
    expect(stopped).toMatchObject({
      states: ['done', 'done', 'now', 'now', 'later'],
      stage: expect.stringMatching(/^Broker 1 is down: .* 0 of 2 have a leader: elect the others before\.$/),
      done: [
        'Broker 1 (kafka-1.eu) is stopped. Start no other broker.',
        expect.stringContaining('out of the metadata'),
      ],
    })
    const elected = await now(() => elect(night))
    expect(elected.states).toEqual(['done', 'done', 'done', 'done', 'now'])
    expect(elected.next).toEqual([expect.stringMatching(/^Start 1 again, now that all of these have a leader/)])
    const over = await now(() => night.brokers.set(1, 'up'))
    expect(over).toMatchObject({
      stage:
        'The alarm about broker 1 is over: all 2 of its partitions are led by others, and 1 is up as a follower. Nothing is left to do.',
      states: ['done', 'done', 'done', 'done', 'done'],
      next: [],
    })
    expect(JSON.stringify([stopped.done, elected.done, over.done])).not.toMatch(/\bNOW\b|Wait until|Plan exactly/)
    await console.close()
  })

  it('say so when what the alarm warned of has happened, and ask for nothing that would not help any more', async () => {
    const night = emptied()
    const { console, now } = await withAlarm(night)
    const after = await now(() => night.alter('a-0', { leader: 1, leaderEpoch: 5 }))
    expect(after.stage).toMatch(/HAPPENED: broker 1 leads a-0\. Others cut their logs/)
    expect(after.states).toEqual([])
    await console.close()
  })

  it('and it stays above every view while the broker leads, though nothing is offline and no alarm stands', async () => {
    const night = emptied()
    const { console, now } = await withAlarm(night)
    expect(cameTrueLines(console.data)).toEqual([])
    await now(() => night.alter('a-0', { leader: 1, leaderEpoch: 5 }).alter('a-1', { leader: 3, leaderEpoch: 5 }))
    expect(console.data.diagnosis?.alarms).toEqual([])
    const header = () => headerOf(console.view, 80).map(plainText).join(' ').replace(/ +/g, ' ')
    expect(header()).toMatch(/HAPPENED: broker 1 leads a-0 with the log of the alarm/)
    await console.press('3')
    expect(header()).toMatch(/HAPPENED: broker 1 leads a-0/)
    await now(() => night.alter('a-0', { leader: 2, leaderEpoch: 6 }))
    expect(header()).not.toContain('HAPPENED')
    await console.close()
  })

  it('say so when the alarm is gone though nothing was elected', async () => {
    const night = emptied()
    const { console, now } = await withAlarm(night)
    const after = await now(() =>
      night.alter('a-0', { elr: [], lastKnownElr: [] }).alter('a-1', { elr: [], lastKnownElr: [] }),
    )
    expect(after.stage).toMatch(/does not stand any more, though 2 of 2 have no leader/)
    await console.close()
  })

  it.each([20, 12, 6])('show the step under the cursor in a body of %i rows', async (rows) => {
    const night = emptied()
    const { console, alarm } = await withAlarm(night)
    const steps = alarmSteps(alarm, console.data)
    for (let index = 0; index < steps.length; index += 1) {
      const body = { columns: 60, rows }
      const lines = alarmLines({ ...console.view, body }, alarm, steps).map(plainText)
      expect(lines.length).toBeLessThanOrEqual(rows)
      expect(lines.join('\n')).toContain(`> ${index + 1} `)
      await console.press('j')
    }
    await console.close()
  })
})

describe('an alarm in the list', () => {
  it('cannot be marked, by space or by a range; the groups can', async () => {
    const night = emptied().add('b', 0, { 2: 5, 3: 5 })
    const console = new NightConsole(night)
    await console.read()
    expect(console.list.cursor).toMatch(/^alarm /)
    await console.press(' ')
    expect(console.list.marks.size).toBe(0)
    await console.press('V')
    await console.press('j')
    // Shift and down, from the alarm to group A.
    await console.press('g\x1b[1;2B')
    expect([...console.list.marks]).toEqual(['A'])
    await console.close()
  })

  it('offers no filter among steps, where there is nothing to look through', async () => {
    const { console } = await withAlarm(emptied())
    await console.press('/')
    expect(console.ui.overlay).toBeNull()
    await console.close()
  })
})
