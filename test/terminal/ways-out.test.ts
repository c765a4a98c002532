import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compiled } from './harness/compiled.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { expectRestored, type ShellJob, startJob } from './harness/shell-job.js'

// Proves, in a real pty under a real shell: however the console ends, the terminal is as it was before.

let program: Awaited<ReturnType<typeof compiled>>
const running: ScreenProgram[] = []

beforeAll(async () => {
  program = await compiled(new URL('./fixtures/small-console.tsx', import.meta.url))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})
afterAll(() => program.remove())

async function open(env: Readonly<Record<string, string>> = {}): Promise<ShellJob> {
  const job = await startJob(`${process.execPath} ${program.path}`, { env })
  running.push(job)
  await job.waitFor('orders-eu-5')
  expect(job.state).toEqual({
    alternateScreen: true,
    cursorVisible: false,
    bracketedPaste: true,
    wraparound: false,
    cooked: false,
  })
  return job
}

describe('every way out gives the terminal back', () => {
  const keys: readonly [string, string, string][] = [
    ['q', 'q', 'code=0'],
    ['ctrl-c', '\x03', 'code=0'],
    ['an exception that nobody caught', 'X', 'code=1'],
    ['a rejection that nobody caught', 'R', 'code=1'],
    ['process.exit', 'E', 'code=7'],
    ['a screen that throws while rendering', 'B', 'code=1'],
  ]
  it.each(keys)('%s', async (_name, key, code) => {
    const job = await open()
    job.send(key)
    await job.waitFor(code)
    await expectRestored(job, 'small-console.js')
    if (code === 'code=1') expect(job.text()).toMatch(/failed: (thrown|rejected|broken) on purpose/)
  })

  const signals: readonly [NodeJS.Signals, number][] = [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
  ]
  it.each(signals)('%s', async (signal, code) => {
    const job = await open()
    process.kill(job.jobPid(), signal)
    await job.waitFor(`code=${code}`)
    // It ended in order, by itself: killed, it would have said nothing.
    expect(job.text()).toMatch(/draws \d+/)
    await expectRestored(job, 'small-console.js')
  })

  // `shown` tells that the keys were read: what nobody has read when the program ends goes to the shell.
  it.each([
    ['an unfinished paste', 'j\x1b[200~pasted', '2 of 200'],
    ['a filter', '/orders-eu-77', /filter.*orders-eu-77|\/ ?orders-eu-77/],
    ['help', '?', '── help'],
    ['the palette', ':mark', /: ?mark/],
    ['a question', 'p', 'Type: elect'],
  ])('SIGTERM while %s lies over the view', async (_name, keys_, shown) => {
    const job = await open()
    job.send(keys_)
    await job.waitFor(shown)
    process.kill(job.jobPid(), 'SIGTERM')
    await job.waitFor('code=143')
    await expectRestored(job, 'small-console.js')
  })

  it('tells what was said meanwhile only after the screen is left', async () => {
    const job = await open({ LAST_WORDS: 'a library complained' })
    expect(job.text()).not.toContain('complained')
    job.send('q')
    await job.waitFor('a library complained')
    await expectRestored(job, 'small-console.js')
  })
})

describe('suspend and resume', () => {
  it('ctrl-z gives the terminal back and stops; fg draws everything again, with its state', async () => {
    const job = await open()
    job.send('jj ')
    await job.waitFor('1 marked')
    job.send('\x1a')
    await job.waitFor('Stopped')
    await job.back()
    expect(job.state.alternateScreen).toBe(false)
    expect(job.state.cursorVisible).toBe(true)
    job.send('fg\r')
    await job.waitFor('1 marked')
    expect(job.state).toEqual({
      alternateScreen: true,
      cursorVisible: false,
      bracketedPaste: true,
      wraparound: false,
      cooked: false,
    })
    job.send('j')
    await job.waitFor('5 of 200')
    // And once more: nothing was left unhooked.
    job.send('\x1a')
    await job.waitFor('Stopped')
    await job.back()
    job.send('fg\r')
    await job.waitFor('5 of 200')
    job.send('q')
    // What is said then begins where the shell left the cursor: at the left edge.
    await job.waitFor(/^draws \d/m)
    await expectRestored(job, 'small-console.js')
  })

  it('draws anew after a stop that could not be seen coming (SIGSTOP)', async () => {
    const job = await open()
    process.kill(job.jobPid(), 'SIGSTOP')
    await job.waitFor('Stopped')
    job.send('\rfg\r')
    await job.waitFor((lines) => lines.join('\n').includes('orders-eu-9') && !lines.join('\n').includes('Stopped'))
    expect(job.state.cooked).toBe(false)
    job.send('q')
    await job.waitFor(/^draws \d/m)
    await expectRestored(job, 'small-console.js')
  })

  it('SIGTSTP from outside does the same', async () => {
    const job = await open()
    process.kill(job.jobPid(), 'SIGTSTP')
    await job.waitFor('Stopped')
    await job.back()
    expect(job.state.alternateScreen).toBe(false)
    job.send('fg\r')
    await job.waitFor('orders-eu-9')
    job.send('q')
    await job.waitFor('draws')
    await expectRestored(job, 'small-console.js')
  })

  it('is refused, with the reason, while something must not stand still', async () => {
    const job = await open()
    job.send('b\x1a')
    await job.waitFor('A batch is under way')
    process.kill(job.jobPid(), 'SIGTSTP')
    job.send('j')
    await job.waitFor('2 of 200')
    job.send('bq')
    await job.waitFor('code=0')
    await expectRestored(job, 'small-console.js')
  })

  it('another program can have the terminal for a while', async () => {
    const job = await open()
    job.send('e')
    await job.waitFor('EDITOR')
    expect(job.state.alternateScreen).toBe(false)
    expect(job.state.cooked).toBe(true)
    job.send('from the editor\r')
    await job.waitFor('edited: from the editor')
    expect(job.state.alternateScreen).toBe(true)
    job.send('q')
    await job.waitFor('code=0')
    await expectRestored(job, 'small-console.js')
  })

  it('nothing is drawn over that program while the console goes on behind it', async () => {
    const job = await open({ TICK: '50' })
    await job.waitFor('tick 3')
    job.send('e')
    await job.waitFor('TICKED')
    expect(job.text()).toContain('EDITOR')
    expect(job.text()).not.toMatch(/orders-eu|\btick \d|SIMULATED/)
    job.send('done\r')
    await job.waitFor('edited: done')
    expect(job.text()).toContain('orders-eu-5')
    job.send('q')
    await job.waitFor('code=0')
    await expectRestored(job, 'small-console.js')
  })
})

describe('no terminal', () => {
  it.each([
    ['stdin', '</dev/null', 'stdin is not a terminal'],
    ['stdout', '| cat', 'stdout is not a terminal'],
  ])('%s: one line, and nothing is touched', async (_name, redirection, reason) => {
    const job = await startJob(`${process.execPath} ${program.path} ${redirection}`)
    running.push(job)
    await job.waitFor(reason)
    await job.waitFor('code=')
    expect(job.raw).not.toContain('\x1b[?1049h')
  })
})
