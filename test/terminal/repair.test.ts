import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startControl } from '../../src/simulator/control/control-server.js'
import type { Scenario } from '../../src/simulator/scenario-schema.js'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { moveTo, type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'

// Proves, in a real pty at 80x24, on the demo's cluster: a directory that fails while the console is open is told of within two refreshes; its repair is
// guided from there to all in sync, with nothing lost that another broker has; and a command of a repair leaves neither processes nor a broken
// terminal behind, however it ends.

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** As `simulatedConsoles` sets it. ms */
const REFRESH_MS = 300

interface Commands {
  readonly [name: string]: readonly string[]
}

interface Night extends SimulatedConsoles {
  /** A console by the saved profile. */
  openSaved(options?: { readonly readOnly?: boolean }): Promise<ScreenProgram>
}

/** The demo's cluster, failing when the test says so, with a profile whose commands are local scripts. */
async function night(commands: (control: string, folder: string) => Commands): Promise<Night> {
  const { events: _, ...scenario }: Scenario = loadNamedScenario('failing-directory')
  const started = await simulatedConsoles({ ...scenario, catchUpOffsetsPerSecond: 8_000 })
  stops.push(() => started.stop())
  const control = await startControl(started.simulator, 0)
  stops.push(() => control.close())
  mkdirSync(started.home, { recursive: true })
  const save = (readOnly: boolean) =>
    writeFileSync(
      join(started.home, 'profiles.json'),
      JSON.stringify({
        profiles: {
          night: {
            bootstrapServers: started.simulator.bootstrapServers,
            label: 'prod-eu',
            readOnly,
            repair: { commands: commands(control.address, started.home) },
          },
        },
      }),
      { mode: 0o600 },
    )
  return {
    ...started,
    async openSaved({ readOnly = false } = {}) {
      save(readOnly)
      return started.open({ args: ['--profile', 'night'], firstScreen: 'No partition is offline' })
    },
  }
}

/** A program of this machine that the profile names instead of ssh. */
function script(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o700)
  return path
}

/** Tells the simulated cluster what is done on a broker's host: events as words, with a plus between them. */
const TELL = `import { connect } from 'node:net'
const [control, ...words] = process.argv.slice(2)
const steps = words.join(' ').split(' + ').map((step) => step.split(' '))
const [host, port] = control.split(':')
let got = ''
const socket = connect(Number(port), host, () => {
  for (const step of steps) socket.write(JSON.stringify(step) + '\\n')
})
socket.on('data', (data) => {
  got += data
  if (got.trim().split('\\n').length < steps.length) return
  console.log('the host says', got.trim())
  socket.end()
})
`

const host = (control: string, folder: string): Commands => {
  const tell = join(folder, 'tell.mjs')
  writeFileSync(tell, TELL)
  const words = (text: string) => [process.execPath, tell, control, ...text.split(' ')]
  return {
    checkDisk: ['/bin/sh', '-c', 'echo "$0 $1 is mounted, and full of I/O errors"; exit 7', '{host}', '{logDir}'],
    stop: words('stop-broker {broker}'),
    // The operator's script changes the disk, formats it, and starts the broker.
    start: words('replace-dir {broker} {logDir} + start-broker {broker}'),
  }
}

const failing = { failLogDir: { broker: 1, path: '/data/b' } }

async function openRepairScreen(screen: ScreenProgram): Promise<void> {
  screen.send('2')
  await screen.waitFor(/1 {2}\/data\/b +FAILED/)
  await moveTo(screen, /1 {2}\/data\/b/)
  screen.send('\r')
  await screen.waitFor('/data/b of broker 1 (127.0.0.1): FAILED')
  await screen.waitFor(/> +4. NOW +Stop broker 1/)
}

/** Enter on the step under the cursor, and the text that it wants. */
async function runStep(screen: ScreenProgram, text: string): Promise<void> {
  screen.send('\r')
  await screen.waitFor(`Type: ${text}`)
  screen.send(`${text}\r`)
}

const endsOf = ({ simulator }: SimulatedConsoles, topic: string, partition: number) =>
  Object.fromEntries(
    [...(simulator.inspect().partition(topic, partition)?.logs ?? [])].map(([id, { logEndOffset }]) => [
      id,
      logEndOffset,
    ]),
  )

describe('a log directory that fails while the console is open', () => {
  it('is told of within two refreshes, and its repair is guided to all in sync: nothing is lost that another has', async () => {
    const started = await night(host)
    const screen = await started.openSaved()
    await screen.waitFor('[2]Log dirs 0')
    await started.simulator.apply(failing)
    // Two refreshes, and as much again for two busy cores to draw it.
    await screen.waitFor('[2]Log dirs 1', 2 * REFRESH_MS + 3_000)
    await screen.waitFor(/Log directory \/data\/b of broker 1 FAILED: \[2\] leads/)
    screen.send('5')
    await screen.waitFor('Broker 1: a log directory FAILED: /data/b')

    await openRepairScreen(screen)
    screen.send('kkkkk')
    await screen.waitFor('> ')
    screen.send('g')
    await screen.waitFor(/> +What is known: 3 partitions, 1 without a leader, 2 served by others/)
    await screen.waitFor("Broker 1 reports /data/b offline: read that broker's log first")
    await screen.waitFor(/clicks-0: names this broker in ISR|clicks-0: names this broker in ELR/)
    screen.send('j')
    await screen.waitFor(/go offline, since only its good directories hold them in sync: 1:\s+audit-0/)
    await screen.waitFor('DANGER: started with this directory empty or gone')
    await screen.waitFor('all that the others hold is lost: 59,000')

    // The disk is looked at: what it says is shown, and that it failed.
    await moveTo(screen, /Check the disk/)
    await runStep(screen, 'checkDisk broker 1')
    await screen.waitFor('127.0.0.1 /data/b is mounted, and full of I/O errors')
    await screen.waitFor(/exit 7 after/)
    screen.send('h')
    await screen.waitFor(/ran .*exit 7 after/)

    // While the broker is up nothing is elected for the gate.
    await moveTo(screen, /Elect the best of the others/)
    screen.send('\r')
    await screen.waitFor('Broker 1 is up: stop it first')
    screen.send('n')
    await screen.waitFor(/> +4. NOW +Stop broker 1/)
    // Pasted text is no confirmation.
    screen.send('\r')
    await screen.waitFor('Type: stop broker 1')
    screen.paste('stop broker 1')
    await screen.waitFor('Pasted text does not count')
    screen.send('\x1b')
    await screen.waitFor((lines) => !lines.join('\n').includes('Type: stop'))
    expect(started.simulator.inspect().partition('audit', 0)?.leader).toBe(1)
    await runStep(screen, 'stop broker 1')
    await screen.waitFor('the host says')
    await screen.waitFor(/exit 0 after/)
    screen.send('h')
    await screen.waitFor('its broker is away')

    // The gate is shut, and says by whom; exactly those are planned.
    screen.send('n')
    await screen.waitFor(/> +5. NOW +Elect the best/)
    screen.send('G')
    await screen.waitFor('Gate SHUT')
    await screen.waitFor(/clicks-0 .*others have a copy: elect/)
    screen.send('h')
    await screen.waitFor(/> +5. NOW +Elect the best/)
    screen.send('\r')
    await screen.waitFor('1 to elect')
    expect(started.writes()).toEqual([])
    screen.send('a')
    await screen.waitFor('Type: elect 1 prod-eu')
    screen.send('elect 1 prod-eu\r')
    await screen.waitFor('1 elected')
    expect(new Set(started.writes().flatMap(({ named }) => named))).toEqual(new Set(['clicks-0']))
    expect(started.leaderOf('clicks', 0)).toBe(2)
    expect(started.leaderOf('audit', 0)).toBe(-1)

    screen.send('hh')
    await screen.waitFor(/6. done +Gate/)
    screen.send('n')
    await screen.waitFor(/> +9. NOW +Start broker 1/)
    await runStep(screen, 'start broker 1')
    await screen.waitFor(/exit 0 after/)
    screen.send('h')
    await screen.waitFor('back, catching up')
    screen.send('v')
    await screen.waitFor('the broker is up, the directory is online')
    await screen.waitFor(/clicks-0 +\[.*\] +\d+%/)
    await screen.waitFor(/log end\s+[\d,]+\s+of\s+59,000\s+of\s+broker\s+2,\s+[\d,]+\s+offsets\s+a\s+second,\s+some/)
    await screen.waitFor('all that was in it is in sync again')
    screen.send('h')
    await screen.waitFor('/data/b of broker 1 (127.0.0.1): nothing to repair')
    expect(endsOf(started, 'clicks', 0)).toEqual({ 1: 59_000, 2: 59_000, 3: 59_000 })
    expect(endsOf(started, 'clicks', 1)).toEqual({ 1: 41_000, 2: 41_000, 3: 41_000 })
    expect(endsOf(started, 'audit', 0)).toEqual({ 1: 900 })

    screen.send('5')
    await screen.waitFor('Broker 1: a log directory is there again: /data/b')
    await screen.waitFor(/RAN: start of broker 1: exit 0/)
    await screen.waitFor(/SENT: Elected 1 of 1/)
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
    expect(screen.state).toMatchObject({ alternateScreen: false, cursorVisible: true })
  }, 120_000)
})

describe('a command of a repair', () => {
  /** Says its process id and waits; with what it leaves behind when it is told to end. */
  const hanging = (_: string, folder: string): Commands => ({
    checkDisk: [
      script(
        folder,
        'hang.sh',
        `trap 'echo told to end >> "${folder}/ended"; exit 3' TERM\necho "pid $$ waits"\nwhile :; do sleep 0.1; done`,
      ),
    ],
    stop: [
      script(
        folder,
        'flood.sh',
        `i=0\nwhile [ $i -lt 6000 ]; do printf '\\033[31m%080d\\n' $i; i=$((i+1)); done; echo the end`,
      ),
    ],
  })

  async function running(started: Night): Promise<{ screen: ScreenProgram; pid: number }> {
    const screen = await started.openSaved()
    await screen.waitFor('[2]Log dirs 0')
    await started.simulator.apply(failing)
    await screen.waitFor('[2]Log dirs 1')
    await openRepairScreen(screen)
    screen.send('k')
    await screen.waitFor(/> +3. by hand +Check the disk/)
    await runStep(screen, 'checkDisk broker 1')
    const lines = await screen.waitFor(/pid \d+ waits/)
    return { screen, pid: Number(/pid (\d+) waits/.exec(lines.join('\n'))?.[1]) }
  }

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }

  const recordsOf = ({ home }: Night) =>
    readFileSync(join(home, 'seen', 'repairs-SIMULATED-failing-directory.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('is ended by ctrl-c, refuses ctrl-z and other commands meanwhile, and goes on when its screen is left', async () => {
    const started = await night(hanging)
    const { screen, pid } = await running(started)
    screen.send('\x1a')
    await screen.waitFor('checkDisk runs: ctrl-c ends it')
    screen.send('h')
    await screen.waitFor('RUNNING: checkDisk of broker 1')
    screen.send('n')
    await screen.waitFor(/> +4. NOW +Stop broker 1/)
    screen.send('\r')
    await screen.waitFor('Not now: checkDisk of broker 1 runs')
    expect(isAlive(pid)).toBe(true)
    screen.send('\x03')
    await screen.waitFor(/checkDisk: stopped by you after/)
    expect(isAlive(pid)).toBe(false)
    expect(readFileSync(join(started.home, 'ended'), 'utf8')).toContain('told to end')
    expect(recordsOf(started)).toMatchObject([{ step: 'checkDisk', broker: 1, end: { kind: 'stopped' } }])
    screen.send('5')
    await screen.waitFor('RAN: checkDisk of broker 1: stopped by you')
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it, records it, and gives the terminal back, exit %i', async (signal, exit) => {
    const started = await night(hanging)
    const { screen, pid } = await running(started)
    screen.signal(signal)
    expect((await screen.exited).code).toBe(exit)
    expect(isAlive(pid)).toBe(false)
    expect(recordsOf(started)).toMatchObject([{ end: { kind: 'stopped' } }])
    expect(screen.state).toMatchObject({ alternateScreen: false, cursorVisible: true, bracketedPaste: false })
  })

  it('may print what it likes: nothing of it reaches the terminal as it is, and of very much the last lines show', async () => {
    const started = await night(hanging)
    const screen = await started.openSaved()
    await screen.waitFor('[2]Log dirs 0')
    await started.simulator.apply(failing)
    await screen.waitFor('[2]Log dirs 1')
    await openRepairScreen(screen)
    await runStep(screen, 'stop broker 1')
    await screen.waitFor(/exit 0 after/)
    await screen.waitFor(/were not shown/)
    await screen.waitFor('the end')
    expect(screen.raw).not.toContain('\x1b[31m0000')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })

  it('is refused where it is read-only, but for looking at the disk', async () => {
    const started = await night(host)
    const screen = await started.openSaved({ readOnly: true })
    await screen.waitFor('[2]Log dirs 0')
    await started.simulator.apply(failing)
    await screen.waitFor('[2]Log dirs 1')
    await openRepairScreen(screen)
    screen.send('\r')
    await screen.waitFor('stop: this is read-only; nothing was run')
    screen.send('k')
    await screen.waitFor(/> +3. by hand +Check the disk/)
    await runStep(screen, 'checkDisk broker 1')
    await screen.waitFor(/exit 7 after/)
    expect(started.writes()).toEqual([])
  })
})
