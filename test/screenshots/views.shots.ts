import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, inject, it } from 'vitest'
import { type ScreenProgram, startProgram } from '../terminal/harness/screen-program.js'
import { moveTo } from '../terminal/harness/simulated-console.js'
import { pngOf } from './png.js'
import { rackNight } from './rack-night.js'

import { svgOf } from './svg.js'

// Makes the pictures of screenshots/ (`npm run screenshots`): the real program in a pty, each picture taken when what it is about is there.
// Ages, times and ports differ from run to run.

const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url))

let home: string
let screen: ScreenProgram
beforeEach(() => {
  mkdirSync(FOLDER, { recursive: true })
  home = mkdtempSync(join(tmpdir(), 'screenshots-'))
})
afterEach(async () => {
  await screen?.dispose()
  rmSync(home, { recursive: true, force: true })
})

function start(...args: string[]): void {
  screen = startProgram(process.execPath, [join(inject('packageRoot'), 'bin/kafka-recovery.js'), ...args], {
    columns: 100,
    rows: 30,
    cwd: home,
    env: { KAFKA_RECOVERY_HOME: home },
  })
}

/** The screen as it stands, as SVG and PNG. A frame may arrive in pieces: it is waited for until no more of it comes. */
async function shoot(name: string, title: string): Promise<void> {
  for (let bytes = -1; bytes !== screen.bytes; ) {
    bytes = screen.bytes
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const svg = svgOf(screen.cells(), `kafka-recovery: ${title}`)
  writeFileSync(join(FOLDER, `${name}.svg`), svg)
  writeFileSync(join(FOLDER, `${name}.png`), pngOf(svg))
}

/** Sends keys, waits for what they lead to. */
async function press(keys: string, shows: Parameters<ScreenProgram['waitFor']>[0]): Promise<void> {
  screen.send(keys)
  await screen.waitFor(shows)
}

/** Saved beside the state, and given to `demo`. */
function rackNightFile(): string {
  const path = join(home, 'night.json')
  writeFileSync(path, JSON.stringify(rackNight()))
  return path
}

const ALL_READ = / A .* 2,\d\d\d /

it('an alarm and its steps', async () => {
  start('demo', '--scenario', 'emptied-leader')
  await screen.waitFor('EMPTY log')
  await screen.waitFor('read now, all')
  await shoot('alarm', 'an alarm, above everything')
  await press('!', 'Gate:')
  await shoot('alarm-steps', 'the steps of an alarm')
})

it('what is wrong, a group, one partition, directories, brokers, help', async () => {
  start('demo', '--scenario', rackNightFile())
  await screen.waitFor(ALL_READ)
  await shoot('partitions', 'what is wrong')
  await moveTo(screen, /^> +B /)
  await press('\r', /^ group B/m)
  await shoot('group', 'a group of partitions')
  await press('\r', 'IF THIS LEADS')
  await screen.waitFor(/^ +[789] {2}\?{9}/m)
  await shoot('compare', 'the logs of one partition, side by side')
  await press('2', '>[2]Log dirs')
  await shoot('log-dirs', 'log directories')
  await press('3', '>[3]Brokers')
  await shoot('brokers', 'brokers')
  await press('?', /help/i)
  await shoot('help', 'help')
})

it('plan, confirmation, run, report, activity', async () => {
  start('demo', '--scenario', rackNightFile())
  await screen.waitFor(ALL_READ)
  await press('a', /2,\d\d\d to elect/)
  await shoot('plan', 'the plan')
  await press('a', 'Type: accept internal 8')
  screen.send('accept internal 8\r')
  await screen.waitFor('Type: elect')
  const text = /Type: (elect \d+ demo)/.exec(screen.text())?.[1] ?? ''
  screen.send(text)
  await screen.waitFor(`> ${text}`)
  await shoot('confirmation', 'the confirmation')
  screen.send('\r')
  await screen.waitFor(/elect +\[/)
  await screen.waitFor(/ 1,000 done/)
  await shoot('run', 'a recovery under way')
  await screen.waitFor(/2,\d\d\d elected/)
  await shoot('report', 'the report')
  await press('5', '>[5]Activity')
  await shoot('activity', 'what was sent and noticed')
})

it('the repair of a log directory', async () => {
  start('demo', '--scenario', 'failing-directory')
  await screen.waitFor('[2]Log dirs 1')
  await press('2', /1 {2}\/data\/b +FAILED/)
  await moveTo(screen, /1 {2}\/data\/b/)
  await press('\r', /> +4. NOW +Stop broker 1/)
  await shoot('repair', 'the repair of a log directory')
})

it('the saved clusters', async () => {
  const profiles = {
    'prod-eu': {
      bootstrapServers: 'kafka-1.eu-a1:9092,kafka-4.eu-b1:9092',
      label: 'prod-eu',
      colour: 'red',
      readOnly: true,
    },
    'prod-us': { bootstrapServers: 'kafka-1.us-a1:9092', label: 'prod-us', colour: 'yellow' },
    staging: { bootstrapServers: 'kafka.staging:9092', label: 'staging', colour: 'green' },
  }
  writeFileSync(join(home, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
  start()
  await screen.waitFor('staging')
  await shoot('clusters', 'the saved clusters')
})
