// The console on 200,000 partitions, 100,000 of them offline, on 30 brokers of a simulator in a process of its own: time from the start to the first
// complete list, and memory then and a minute of refreshes later (npm run build first).
//   node test/bench/console-memory.mjs [topics of 500 partitions]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as pty from '@lydell/node-pty'
import { BROKERS, bin, startLargeCluster } from './simulated-cluster.mjs'

const { Terminal } = createRequire(import.meta.url)('@xterm/headless')

const [COLUMNS, ROWS] = [120, 40]
/** How long it may take at all, and how long it is watched afterwards. ms */
const [LIMIT, WATCHED] = [300_000, 60_000]

const { folder, partitions, servers, stop } = await startLargeCluster({
  topics: Number(process.argv[2] ?? 400),
  offlineShare: 0.5,
})
let terminal = null
try {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(2)} s`
  terminal = pty.spawn(process.execPath, [bin, '--bootstrap-server', servers], {
    name: 'xterm-256color',
    cols: COLUMNS,
    rows: ROWS,
    env: { ...process.env, LANG: 'C.UTF-8', KAFKA_RECOVERY_HOME: join(folder, 'home') },
  })
  const ended = new Promise((resolve) => terminal.onExit(resolve))
  const screen = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
  terminal.onData((data) => screen.write(data))
  const text = () =>
    Array.from({ length: ROWS }, (_, row) => screen.buffer.active.getLine(row)?.translateToString(true) ?? '').join(
      '\n',
    )
  console.log(
    `console, ${partitions.toLocaleString('en-US')} partitions, half of them offline, ${BROKERS} brokers (3 down), Node ${process.version} (aim: 400 MB)`,
  )
  await until(() => offlineIn(text()) !== null, text)
  console.log(`  first counts          ${seconds().padStart(8)}   ${memory(terminal.pid)}`)
  await until(() => grouped(text()), text)
  console.log(
    `  first complete list   ${seconds().padStart(8)}   ${memory(terminal.pid)}   ${offlineIn(text())} offline`,
  )
  await new Promise((resolve) => setTimeout(resolve, WATCHED))
  console.log(`  ${WATCHED / 1000} s of refreshes later            ${memory(terminal.pid)}`)
  terminal.write('q')
  await ended
  terminal = null
} finally {
  terminal?.kill('SIGKILL')
  stop()
}

/** Of the first screen; null: not told yet. */
function offlineIn(screen) {
  const count = /([\d,]+) OFFLINE of/.exec(screen)?.[1]
  return count === undefined ? null : Number(count.replaceAll(',', ''))
}

/** Every offline partition stands in one of the groups. */
function grouped(screen) {
  const offline = offlineIn(screen)
  if (offline === null) return false
  const rows = screen
    .split('\n')
    .flatMap((line) => /^[> ] {2}[A-D] {2}\S.*? {2,}([\d,]+)(?: +[\d,]+ \+ \?)? *$/.exec(line)?.[1] ?? [])
  return rows.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0) === offline
}

async function until(holds, text) {
  const end = performance.now() + LIMIT
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${LIMIT / 1000} s:\n${text()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024).toFixed(0).padStart(5)
  return `${mb('VmRSS')} MB, at most ${mb('VmHWM')} MB   ${processorSeconds(pid).padStart(5)} s of a processor`
}

/** What the console itself has used: the simulator shares the machine, and so may others. */
function processorSeconds(pid) {
  // The program's name, in brackets, may hold anything: fields are counted from behind it (proc(5): utime 14, stime 15, in hundredths).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1)
}
