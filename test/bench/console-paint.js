// Prints how fast a key shows and how many bytes that takes, with a windowed list of 100,000 rows: console.md's table. It measures the built
// program (npm run build first) in a real pty: from the byte written to the pty until the last byte of the answer is read from it.
//   node test/bench/console-paint.js [rows]

import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'

const ROWS = Number(process.argv[2] ?? 100_000)
const KEYS = 400
const SIZES = [
  [80, 24],
  [120, 40],
  [200, 60],
]
const PROGRAM = fileURLToPath(new URL('./console-paint-program.js', import.meta.url))

/** Sends a key, waits until the program has nothing more to write for it, says how long that took and how many bytes came. */
async function key(terminal, text) {
  let bytes = 0
  let last = 0
  const started = performance.now()
  const listener = terminal.onData((data) => {
    bytes += Buffer.byteLength(data)
    last = performance.now()
  })
  terminal.write(text)
  // An answer is one write; it may be read in pieces, which follow each other within a millisecond.
  while (last === 0 || performance.now() - last < 4) await new Promise((resolve) => setTimeout(resolve, 1))
  listener.dispose()
  return { ms: last - started, bytes }
}

async function measure(columns, rows, env, keys) {
  const terminal = spawn(process.execPath, [PROGRAM], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    env: { ...process.env, LANG: 'C.UTF-8', BENCH_ROWS: String(ROWS), ...env },
  })
  try {
    await new Promise((resolve) => {
      let seen = ''
      terminal.onData((data) => {
        seen += data
        if (seen.includes('quit')) resolve()
      })
    })
    const results = []
    for (let turn = 0; turn < KEYS; turn += 1) results.push(await key(terminal, keys[turn % keys.length]))
    return results
  } finally {
    terminal.write('q')
    await new Promise((resolve) => terminal.onExit(resolve))
  }
}

const percentile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]
const shown = (results) => {
  const ms = results.map((result) => result.ms)
  const bytes = results.map((result) => result.bytes)
  return `p50 ${percentile(ms, 0.5).toFixed(1)} ms, p99 ${percentile(ms, 0.99).toFixed(1)} ms; bytes p50 ${percentile(bytes, 0.5)}, most ${Math.max(...bytes)}`
}

/** Bytes written in half a second in which the data is replaced by equal data 100 times a second. */
async function quiet() {
  const terminal = spawn(process.execPath, [PROGRAM], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    env: { ...process.env, LANG: 'C.UTF-8', BENCH_ROWS: '1000', BENCH_SAME: '10' },
  })
  await new Promise((resolve) => {
    terminal.onData((data) => {
      if (data.includes('quit')) resolve()
    })
  })
  let bytes = 0
  terminal.onData((data) => {
    bytes += data.length
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const ticks = bytes
  terminal.write('q')
  await new Promise((resolve) => terminal.onExit(resolve))
  return ticks
}

console.log(
  `console, ${ROWS.toLocaleString('en-US')} rows (load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors; aim: key to frame p50 10 ms, p99 33 ms; one row 600 bytes; a tick without change 0)`,
)
for (const [columns, rows] of SIZES) {
  const name = `${columns}x${rows}`
  console.log(`  ${name} one row:                 ${shown(await measure(columns, rows, {}, ['j', 'j', 'j', 'k']))}`)
  console.log(`  ${name} a page:                  ${shown(await measure(columns, rows, {}, ['\x1b[6~']))}`)
}
console.log(`  80x24 one row while data changes: ${shown(await measure(80, 24, { BENCH_CHANGE: '500' }, ['j']))}`)
console.log(`  80x24 ticks without change:      ${await quiet()} bytes`)
