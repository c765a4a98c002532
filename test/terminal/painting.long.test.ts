import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compiled } from './harness/compiled.js'
import { type ProgramOptions, type ScreenProgram, startProgram } from './harness/screen-program.js'

// Proves, in a real pty: what is drawn, with how many bytes, at which size and on which kind of terminal; and what counts as a key.

let program: Awaited<ReturnType<typeof compiled>>
const running: ScreenProgram[] = []

beforeAll(async () => {
  program = await compiled(new URL('./fixtures/small-console.tsx', import.meta.url))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})
afterAll(() => program.remove())

async function open(options: ProgramOptions = {}, args: readonly string[] = []): Promise<ScreenProgram> {
  const started = startProgram(process.execPath, [program.path, ...args], options)
  running.push(started)
  // The first frame may come in pieces: its last line is the last of it.
  await started.waitFor(
    (lines) => lines.some((line) => line.includes('orders-eu-5')) && lines.some((line) => line.includes('q quit')),
  )
  return started
}

/** Bytes that are written until the screen shows `what` after these keys. */
async function bytesFor(screen: ScreenProgram, keys: string, what: string): Promise<number> {
  const before = screen.bytes
  screen.send(keys)
  await screen.waitFor(what)
  return screen.bytes - before
}

describe('bytes', () => {
  it.each([
    [80, 24],
    [120, 40],
  ])('a cursor that moves one row costs at most 600 bytes at %ix%i, scrolling included', async (columns, rows) => {
    const screen = await open({ columns, rows })
    const costs: number[] = []
    for (let row = 2; row <= rows + 5; row += 1) costs.push(await bytesFor(screen, 'j', `\n${row} of 200`))
    for (let row = rows + 4; row >= 1; row -= 1) costs.push(await bytesFor(screen, 'k', `\n${row} of 200`))
    expect(Math.max(...costs)).toBeLessThanOrEqual(600)
  })

  it('ticks that change nothing on the screen write nothing', async () => {
    const screen = await open({ env: { TICK: '5' } })
    // Under the help the ticks are still in the header: so go where nothing shows them.
    screen.resize(50, 24)
    await screen.waitFor('Too small')
    screen.send('j')
    const before = screen.bytes
    screen.resize(51, 24)
    await screen.waitFor('51x24')
    // Between the two resizes at least one tick came; what was written is the one line, twice at most.
    expect(screen.bytes - before).toBeLessThan(24 * 12 + 200)
    screen.resize(80, 24)
    await screen.waitFor('2 of 200')
  })

  it('many changes a second are drawn at most 15 times', async () => {
    const screen = await open({ env: { TICK: '2' } })
    const started = performance.now()
    await screen.waitFor((lines) => Number(/tick (\d+)/.exec(lines.join('\n'))?.[1] ?? 0) > 500)
    screen.send('q')
    await screen.waitFor('draws')
    const seconds = (performance.now() - started) / 1000
    const draws = Number(/draws (\d+)/.exec(screen.text())?.[1])
    expect(draws).toBeGreaterThan(3)
    expect(draws).toBeLessThanOrEqual(15 * seconds + 10)
  })

  it('never wipes the scrollback, never writes more rows than there are', async () => {
    const screen = await open({ columns: 60, rows: 20 })
    for (const [columns, rows] of [
      [60, 20],
      [200, 50],
      [61, 21],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows)
      await screen.waitFor(
        (lines) => (lines[0] ?? '').includes('SIMULATED prod-eu') && (lines[rows - 1] ?? '').includes('quit'),
      )
    }
    screen.send('?')
    await screen.waitFor('Lists')
    expect(screen.raw).not.toContain('\x1b[3J')
  })
})

describe('a terminal that does not keep up', () => {
  it('gets the newest frame, not every frame, when it reads again; keys and signals work meanwhile', async () => {
    const screen = await open({ env: { TICK: '5', ROWS: '5000' } })
    await screen.waitFor('tick 1')
    screen.stall(true)
    const before = screen.bytes
    // Each page changes the whole screen: far more than a pty holds, were it queued.
    // Fewer than what counts as a paste when it is read at once.
    for (let turn = 0; turn < 200; turn += 1) screen.send('\x1b[6~')
    screen.send('x')
    // The process reads on although nobody reads what it writes.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    screen.stall(false)
    await screen.waitFor('Path of the new file')
    expect(screen.bytes - before).toBeLessThan(200_000)
    screen.send('\x1b')
    await screen.waitFor('of 5,000')
  })

  it('ends in order by SIGTERM while nothing is read', async () => {
    const screen = await open({ env: { ROWS: '5000' } })
    screen.stall(true)
    for (let turn = 0; turn < 100; turn += 1) screen.send('\x1b[6~')
    screen.signal('SIGTERM')
    screen.stall(false)
    expect((await screen.exited).code).toBe(143)
    expect(screen.state.alternateScreen).toBe(false)
    expect(screen.state.cursorVisible).toBe(true)
  })
})

const TOO_SMALL = 'Too small: 59x19, needs 60x20. Nothing is lost.'

describe('sizes', () => {
  it('says in one line that it is too small, and keeps its state', async () => {
    const screen = await open()
    screen.send('jj /eu-1\r')
    await screen.waitFor('filter eu-1')
    screen.resize(59, 19)
    await screen.waitFor((lines) => lines.filter((line) => line !== '').join() === TOO_SMALL)
    screen.resize(100, 30)
    await screen.waitFor('filter eu-1')
    await screen.waitFor('1 marked')
  })

  it('at 60x20 partition, loss and position are there', async () => {
    const screen = await open({ columns: 60, rows: 20 })
    expect(screen.text()).toMatch(/orders-eu-1 .*7,919 \+ \?/)
    expect(screen.text()).toContain('1 of 200')
  })

  it('a storm of resizes ends with the right screen', async () => {
    const screen = await open()
    for (let turn = 0; turn < 40; turn += 1) screen.resize(60 + ((turn * 7) % 60), 20 + ((turn * 5) % 20))
    screen.resize(90, 25)
    await screen.waitFor((lines) => (lines[24] ?? '').includes('quit') && (lines[23] ?? '').startsWith('1 of 200'))
    expect(screen.lines().filter((line) => line.includes('quit'))).toHaveLength(1)
  })
})

describe('kinds of terminals', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
  const COLOUR = /\x1b\[(3[0-7]|9[0-7]|38)[;m]/

  it('uses the sixteen colours, and none of more', async () => {
    const screen = await open()
    expect(screen.raw).toMatch(COLOUR)
    expect(screen.raw).not.toContain('\x1b[38')
  })

  it.each([{ NO_COLOR: '1' }, { FORCE_COLOR: '0' }])(
    '%j: no colour, and the cursor shows all the same',
    async (env) => {
      const screen = await open({ env })
      expect(screen.raw).not.toMatch(COLOUR)
      expect(screen.text()).toContain('>  orders-eu-0')
    },
  )

  it('FORCE_COLOR stands above NO_COLOR', async () => {
    expect((await open({ env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).raw).toMatch(COLOUR)
  })

  it.each([{ CI: 'true' }, { CI: '1', GITHUB_ACTIONS: 'true' }, { CONTINUOUS_INTEGRATION: '1' }])(
    '%j on a real terminal: draws, in colour, and follows a resize',
    async (env) => {
      const screen = await open({ env })
      expect(screen.raw).toMatch(COLOUR)
      screen.send('j')
      await screen.waitFor('2 of 200')
      screen.resize(100, 30)
      await screen.waitFor((lines) => (lines[29] ?? '').includes('quit'))
      screen.send('q')
      expect((await screen.exited).code).toBe(0)
      expect(screen.state.alternateScreen).toBe(false)
    },
  )

  it.each([
    ['--ascii', {}, ['--ascii']],
    ['a locale without UTF-8', { LANG: 'C' }, []],
    ['LC_ALL above LANG', { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, []],
  ] as const)('%s: nothing but ASCII', async (_name, env, args) => {
    const screen = await open({ env: { ROWS: '300', ...env } }, args)
    screen.send('?')
    await screen.waitFor('Lists')
    screen.send('q:')
    await screen.waitFor('commands')
    expect([...screen.raw].filter((character) => character > '\x7f')).toEqual([])
  })

  it('TERM=dumb: lines, without any sequence', async () => {
    const screen = await open({ env: { TERM: 'dumb' } })
    screen.send('j')
    await screen.waitFor('2 of 200')
    expect(screen.raw).not.toContain('\x1b')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })

  it('INK_SCREEN_READER: what is new is said, what is not is not said again', async () => {
    const screen = await open({ env: { INK_SCREEN_READER: 'true' }, rows: 60 })
    expect(screen.state.alternateScreen).toBe(false)
    const before = screen.raw.length
    screen.send('j')
    await screen.waitFor('2 of 200')
    const said = screen.raw.slice(before)
    expect(said).toContain('>  orders-eu-1')
    expect(said).not.toContain('orders-eu-7')
    expect(said).not.toContain('\x1b[')
  })
})

describe('what counts as a key', () => {
  const question = async () => {
    const screen = await open()
    screen.send('  ')
    await screen.waitFor('2 marked')
    screen.send('p')
    await screen.waitFor('Type: elect 2 prod-eu')
    return screen
  }

  it('the exact text, typed, is a yes', async () => {
    const screen = await question()
    screen.send('elect 2 prod-eu\r')
    await screen.waitFor('ELECTED orders-eu-0 orders-eu-1')
  })

  it('anything else cancels', async () => {
    const screen = await question()
    screen.send('elect 3 prod-eu\r')
    await screen.waitFor('Cancelled')
    expect(screen.text()).not.toContain('ELECTED')
  })

  it.each([
    ['ctrl-c', '\x03'],
    ['esc', '\x1b'],
    ['enter alone', '\r'],
  ])('%s cancels', async (_name, key) => {
    const screen = await question()
    screen.send(key)
    await screen.waitFor((lines) => !lines.join('\n').includes('Type: elect'))
    screen.send('j')
    await screen.waitFor('4 of 200')
    expect(screen.text()).not.toContain('ELECTED')
  })

  it('pasted text does not count, whole or in parts', async () => {
    const screen = await question()
    screen.paste('elect 2 prod-eu\r')
    await screen.waitFor('Pasted text does not count')
    screen.paste('elect 2 ')
    screen.send('prod-eu\r')
    await screen.waitFor('Cancelled')
    expect(screen.text()).not.toContain('ELECTED')
  })

  it('what was typed before the question showed does not count', async () => {
    const screen = await open()
    screen.send('  ')
    await screen.waitFor('2 marked')
    screen.send('pelect 2 prod-eu\r')
    await screen.waitFor('Type: elect 2 prod-eu')
    // All of it was dropped: the question stands, its line is empty, and it can be answered.
    await screen.waitFor(/^> ?$/m)
    screen.send('elect 2 prod-eu\r')
    await screen.waitFor('ELECTED')
  })

  it('a paste is never keys: not in a list, not with an end mark inside, not in pieces', async () => {
    const screen = await open()
    screen.paste('jjjq\rp X')
    await screen.waitFor('Pasted text is not taken as keys')
    for (const piece of ['\x1b[20', '0~jj', 'jq\x1b[2', '01', '~']) screen.send(piece)
    screen.send('k')
    await screen.waitFor('1 of 200')
    screen.send('j')
    await screen.waitFor('2 of 200')
  })

  it('may be pasted where free text is asked for', async () => {
    const screen = await open()
    screen.send('x')
    await screen.waitFor('Path of the new file')
    screen.paste('plans/night\n.json')
    screen.send('\r')
    await screen.waitFor('Exported to /tmp/plans/night .json')
  })

  it('a question that could not be seen counts no keys until it can', async () => {
    const screen = await open()
    screen.send('  ')
    await screen.waitFor('2 marked')
    screen.resize(40, 10)
    await screen.waitFor('Too small')
    screen.send('pelect 2 prod-eu\r')
    screen.resize(80, 24)
    await screen.waitFor('Type: elect 2 prod-eu')
    expect(screen.text()).not.toContain('ELECTED')
    screen.send('elect 2 prod-eu\r')
    await screen.waitFor('ELECTED')
  })
})

describe('one registry', () => {
  it('help, hints and palette tell the same actions; the palette runs them, with an argument', async () => {
    const screen = await open({ rows: 50 })
    expect(screen.text()).toContain('enter compare')
    screen.send('?')
    await screen.waitFor('compare replicas')
    await screen.waitFor('mark a range')
    screen.send('q')
    await screen.waitFor('orders-eu-0')
    screen.send(':export to /tmp/a.json\r')
    await screen.waitFor('Exported to /tmp/a.json')
    screen.send(':compare\r')
    await screen.waitFor('Comparing orders-eu-0')
    screen.send('\x7f')
    await screen.waitFor('1 of 200')
  })

  it('a row that leaves under the cursor: keys act on nothing until the cursor is moved', async () => {
    const screen = await open()
    screen.send('jjd')
    await screen.waitFor('orders-eu-2 left the list')
    screen.send(' ')
    await screen.waitFor('is not in the list any more')
    expect(screen.text()).not.toContain('marked')
    screen.send('j')
    await screen.waitFor('>  orders-eu-3')
    screen.send(' ')
    await screen.waitFor('1 marked')
  })
})
