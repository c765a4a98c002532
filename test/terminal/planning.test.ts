import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { calmNight } from './harness/calm-night.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { moveTo, type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'

// Proves, in a real pty against a simulated cluster: a plan is a dry run until its text is typed, and what was typed is what happens.

const nights: SimulatedConsoles[] = []
afterEach(async () => {
  for (const night of nights.splice(0)) await night.stop()
})

async function night(scenario = calmNight()): Promise<SimulatedConsoles> {
  const started = await simulatedConsoles(scenario)
  nights.push(started)
  return started
}

/** Group A on the Plan screen. */
async function planA(screen: ScreenProgram, elect = 13): Promise<void> {
  await screen.waitFor(/ A .* 13\b/)
  screen.send('a')
  await screen.waitFor(`${elect} to elect`)
}

const nameOf = ({ simulator }: SimulatedConsoles) => simulator.bootstrapServers.split(',')[0] ?? ''

/** Up to the question with the last word; nothing but that is missing. */
async function upToConfirmation(started: SimulatedConsoles, screen: ScreenProgram): Promise<string> {
  await planA(screen)
  screen.send('a')
  await screen.waitFor('Type: accept internal 1')
  screen.send('accept internal 1\r')
  const text = `elect 13 ${nameOf(started)}`
  await screen.waitFor(`Type: ${text}`)
  return text
}

describe('the whole job', () => {
  it.each([
    [80, 24],
    [120, 40],
  ])(
    "in the demo's cluster at %ix%i: nothing is written before the text is typed, orders are as before after it",
    async (columns, rows) => {
      const started = await night(loadNamedScenario('night-shift'))
      const before = started.assignments()
      const screen = await started.open({ columns, rows })
      await screen.waitFor(/ B .* 9\b/)
      await moveTo(screen, /^> +B /)
      screen.send('p')
      await screen.waitFor('"gone 1 2 3"')
      screen.send('gone 1 2 3\r')
      await screen.waitFor('9 to elect')
      // What a leader that an alarm says to stop would lead is not elected.
      screen.send('a')
      await screen.waitFor('An ALARM stands on broker 6')
      screen.send(':take out what\r')
      await screen.waitFor('8 to elect')
      // The requests are there once the brokers have said who takes them: until then the last line is that this is being asked.
      // They may come between the key and the look at the screen: then what was the last line is so no more.
      const last = () => {
        screen.send('G')
        return screen.text()
      }
      await expect.poll(last, { interval: 200 }).toContain('ElectLeaders v2 to broker')
      screen.send('a')
      await screen.waitFor('Type: accept internal 2')
      screen.send('accept internal 2\r')
      const text = `elect 8 ${nameOf(started)}`
      await screen.waitFor(`Type: ${text}`)
      screen.send(text)
      await screen.waitFor(`> ${text}`)
      expect(started.writes()).toEqual([])
      screen.send('\r')
      await screen.waitFor('8 elected')
      await screen.waitFor('measured 1,833 + ?')
      expect(started.assignments()).toEqual(before)
      expect(started.leaderOf('orders', 0)).toBe(4)
      // The others see it too, at once.
      await screen.waitFor('[1]Partitions 8')

      const [report = ''] = readdirSync(join(started.home, 'reports'))
      expect(statSync(join(started.home, 'reports', report)).mode & 0o777).toBe(0o600)
      expect(JSON.parse(readFileSync(join(started.home, 'reports', report), 'utf8')).summary).toEqual({ elected: 8 })
      screen.send('q')
      expect((await screen.exited).code).toBe(0)
      await screen.waitFor((lines) => lines.join('\n').includes('8 of 74 partitions offline'))
      await screen.waitFor((lines) => lines.join('\n').includes('last recovery: 8 elected; report'))
    },
  )
})

describe('the confirmation', () => {
  it('wrong text, a paste, ctrl-c, and keys from before the question send nothing; then the right text does', async () => {
    const started = await night()
    const screen = await started.open()
    const text = await upToConfirmation(started, screen)
    screen.send(`${text.replace('13', '12')}\r`)
    await screen.waitFor('Cancelled')
    // The acknowledgement of this very set is kept; the question is asked anew each time.
    screen.send('a')
    await screen.waitFor('Type: elect')
    screen.paste(`${text}\r`)
    await screen.waitFor('Pasted text does not count')
    screen.send('\x03')
    await screen.waitFor((lines) => !lines.join('\n').includes('Type: elect'))
    screen.send(`a${text}\r`)
    await screen.waitFor('Type: elect')
    expect(started.writes()).toEqual([])
    screen.send(`${text}\r`)
    await screen.waitFor('13 elected')
  })

  it('an overruled code wants its own text over the listed set, and is planned only then', async () => {
    const started = await night()
    const screen = await started.open()
    await screen.waitFor(/ C .* 1\b/)
    await moveTo(screen, /^> +C /)
    screen.send('p')
    await screen.waitFor('nothing to elect')
    screen.send('o')
    await screen.waitFor('Type: accept contested 1')
    screen.send('accept contested 2\r')
    await screen.waitFor('Cancelled')
    await screen.waitFor('nothing to elect')
    screen.send('o')
    await screen.waitFor('Type: accept contested 1')
    screen.send('accept contested 1\r')
    await screen.waitFor('1 to elect')
    screen.send('a')
    // Acknowledged already: only the last word is missing.
    await screen.waitFor(`Type: elect 1 ${nameOf(started)}`)
    screen.send(`elect 1 ${nameOf(started)}\r`)
    await screen.waitFor('1 elected')
    expect(started.leaderOf('payments', 0)).toBe(2)
  })

  it('read-only: nothing is asked, nothing is sent', async () => {
    const started = await night()
    const screen = await started.open({
      args: ['--bootstrap-server', started.simulator.bootstrapServers, '--read-only'],
    })
    await screen.waitFor('READ-ONLY')
    await planA(screen)
    screen.send('a')
    await screen.waitFor('read-only: nothing is elected')
    expect(started.writes()).toEqual([])
  })
})

describe('a plan', () => {
  it('made at 60x20 and exported is applied by a second console', async () => {
    const started = await night()
    const small = await started.open({ columns: 60, rows: 20 })
    await planA(small)
    small.send('x')
    await small.waitFor('never overwritten')
    small.send('\x15night.json\r')
    await small.waitFor('Written, mode 0600')
    const path = join(started.home, 'night.json')
    small.send('y')
    await small.waitFor('Copied:')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence itself is what is looked for
    const [, copied = ''] = /\x1b\]52;c;([^\x07]*)\x07/.exec(small.raw) ?? []
    const line = Buffer.from(copied, 'base64').toString()
    expect(line).toMatch(/^node .*kafka-recovery\.js elect --plan .*night\.json --bootstrap-server 127\.0\.0\.1:\d+/)
    small.send('q')
    expect((await small.exited).code).toBe(0)
    // What was copied is what is left on the normal screen.
    expect(small.text().replaceAll(/\s+/g, '')).toContain(`applyitwith:${line}`.replaceAll(' ', ''))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { planId } = JSON.parse(readFileSync(path, 'utf8'))
    expect(started.writes()).toEqual([])

    const second = await started.open()
    await second.waitFor(/ A .* 13\b/)
    second.send(`:open plan ${path}\r`)
    await second.waitFor('13 to elect')
    second.send('a')
    await second.waitFor('Type: accept internal 1')
    second.send('accept internal 1\r')
    await second.waitFor('Type: elect 13')
    second.send(`elect 13 ${nameOf(started)}\r`)
    await second.waitFor('13 elected')
    const [report = ''] = readdirSync(join(started.home, 'reports'))
    expect(JSON.parse(readFileSync(join(started.home, 'reports', report), 'utf8')).plan.planId).toBe(planId)
  })

  it('is never written over a file that is there', async () => {
    const started = await night()
    writeFileSync(join(started.home, 'there.json'), 'mine')
    const screen = await started.open()
    await planA(screen)
    screen.send(':export plan there.json\r')
    await screen.waitFor('exists already and is never')
    expect(readFileSync(join(started.home, 'there.json'), 'utf8')).toBe('mine')
  })

  it('follows the cluster: what changed is shown with what, and not elected until it is taken over', async () => {
    const started = await night()
    const screen = await started.open()
    await planA(screen)
    await started.simulator.apply({ brokerDown: 2 })
    await screen.waitFor('nothing to elect')
    await screen.waitFor('13 CHANGED')
    await screen.waitFor(/orders-3 .*CHANGED/)
    screen.send('a')
    await screen.waitFor('There is nothing to elect')
    // While logs are read once more there is nothing to take over for a moment: as an operator who is told so, try again.
    await expect
      .poll(
        () => {
          if (!screen.text().includes('13 to elect')) screen.send('c')
          return screen.text()
        },
        { interval: 500 },
      )
      .toContain('13 to elect')
    await screen.waitFor(/orders-3 +1 /)
  })

  it('goes through $EDITOR: leaders and lines may be changed, the difference is shown first', async () => {
    const started = await night()
    const editor = join(started.home, 'editor.sh')
    writeFileSync(
      editor,
      '#!/bin/sh\nsed -i -e \'/"orders","partition":5,/d\' -e \'/"orders","partition":4,/s/"designatedLeader":2/"designatedLeader":1/\' "$1"\n',
      { mode: 0o755 },
    )
    const screen = await started.open({ env: { EDITOR: editor } })
    await planA(screen)
    screen.send('e')
    await screen.waitFor('Take these 2 changes into the draft?')
    await screen.waitFor(/orders-4: leader 2 -> 1, lost at least .*-> /)
    await screen.waitFor((lines) => lines.join('\n').includes('orders-5: taken out'))
    screen.send('y\r')
    await screen.waitFor('12 to elect')
    await moveTo(screen, /orders-4 /)
    await screen.waitFor(/> +orders-4 +1 .*by hand/)
  })

  it('an editor that writes nonsense changes nothing, and may be used again', async () => {
    const started = await night()
    const editor = join(started.home, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\necho "{" > "$1"\n', { mode: 0o755 })
    const screen = await started.open({ env: { EDITOR: editor } })
    await planA(screen)
    screen.send('e')
    await screen.waitFor('Edit it again?')
    screen.send('\x15n\r')
    await screen.waitFor('Nothing was taken over')
    await screen.waitFor('13 to elect')
  })

  it('ctrl-c and ctrl-\\ are for the editor that has the terminal, and the console is there after it', async () => {
    const started = await night()
    const editor = join(started.home, 'editor.sh')
    // As those that stay in cooked mode: the terminal sends the signal to the whole job.
    const script = "#!/bin/sh\ntrap 'echo GOT INT' INT\ntrap 'exit 0' QUIT\necho EDITING\nwhile :; do sleep 0.1; done\n"
    writeFileSync(editor, script, { mode: 0o755 })
    const screen = await started.open({ env: { EDITOR: editor } })
    await planA(screen)
    screen.send('e')
    await screen.waitFor('EDITING')
    screen.send('\x03')
    await screen.waitFor('GOT INT')
    screen.send('\x1c')
    await screen.waitFor('Nothing was changed in the editor')
    await screen.waitFor('13 to elect')
    // One that it ends: told as that.
    writeFileSync(editor, '#!/bin/sh\necho AGAIN\nexec sleep 60\n')
    screen.send('e')
    await screen.waitFor('AGAIN')
    screen.send('\x03')
    await screen.waitFor('The editor was ended by SIGINT')
  })

  it('whatever an editor leaves in the place of its file: said in a line, and nothing is held up by it', async () => {
    const started = await night()
    const editor = join(started.home, 'editor.sh')
    const screen = await started.open({ env: { EDITOR: editor } })
    await planA(screen)
    let keys = 'e'
    // No two in a row are told alike: what is waited for must not be there from the one before.
    for (const [command, said] of [
      ['rm "$1"; mkfifo "$1"', 'is no regular file'],
      ['rm "$1"', 'no such file'],
      ['ln -sf /dev/zero "$1"', 'is no regular file'],
      ['rm "$1"; head -c 100000000 /dev/zero >"$1"', 'larger than'],
      ['rm "$1"; mkdir "$1"', 'is a directory'],
    ] as const) {
      writeFileSync(editor, `#!/bin/sh\necho EDITING\n${command}\n`, { mode: 0o755 })
      screen.send(keys)
      await screen.waitFor(
        (lines) => /designated-leaders.json: (.*) Edit it again/.exec(lines.join(' '))?.[1]?.includes(said) === true,
      )
      keys = '\r'
    }
    screen.send('\x15n\r')
    await screen.waitFor('Nothing was taken over')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })

  it('a plan is not opened from a pipe: the console could not end while it is waited for', async () => {
    const started = await night()
    execFileSync('mkfifo', [join(started.home, 'pipe')])
    const screen = await started.open()
    screen.send(':open plan pipe\r')
    await screen.waitFor('is no regular file')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })
})

describe('the text that confirms', () => {
  it('does not count while the question has no room on the screen', async () => {
    const started = await night()
    const screen = await started.open()
    const text = await upToConfirmation(started, screen)
    screen.resize(40, 10)
    await screen.waitFor('Too small')
    screen.send(`${text}\r`)
    // Read before it is drawn once more.
    screen.resize(41, 10)
    await screen.waitFor('Too small: 41x10')
    screen.resize(80, 24)
    await screen.waitFor(`Type: ${text}`)
    await screen.waitFor(/^>$/m)
    expect(started.writes()).toEqual([])
    // Seen again, it does.
    screen.send(`${text}\r`)
    await screen.waitFor('13 elected')
  })

  it('does not count in a paste that the terminal does not mark, and much of it holds nothing up', async () => {
    const started = await night()
    const screen = await started.open()
    const text = await upToConfirmation(started, screen)
    // In pieces, as a terminal hands it on.
    for (let sent = 0; sent < 100_000; sent += 4_000) screen.send(`${text}\r`.repeat(4_000 / 20).slice(0, 4_000))
    await screen.waitFor('Pasted text does not count')
    screen.send('\x1b')
    await screen.waitFor((lines) => !lines.join('\n').includes('Type: elect'))
    expect(started.writes()).toEqual([])
  })
})

describe('choices made by hand', () => {
  it('outlive the console: offered at the next start, taken up only as far as they hold', async () => {
    const started = await night()
    const first = await started.open()
    await planA(first)
    await moveTo(first, /orders-2 /)
    first.send(' ')
    first.send(' ')
    await first.waitFor('2 marked')
    first.send('-')
    await first.waitFor('11 to elect')
    first.send('q')
    await first.exited

    const second = await started.open()
    await second.waitFor('for 2 partitions: take them up? Y')
    await planA(second)
    second.send('Y')
    await second.waitFor('Taken up: 2 partitions')
    await second.waitFor('11 to elect')
    expect(started.writes()).toEqual([])
  })
})
