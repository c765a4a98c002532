// Loaded into the program under test by --import: at each SIGUSR2 it collects garbage and appends one JSON line to SOAK_PROBE_FILE, of memory, of what
// keeps the event loop busy, and of listeners. It never ends the program and never answers for it.
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const file = process.env.SOAK_PROBE_FILE
const rejections = []
const warnings = []

// Beside the program's own listeners, which go on deciding what comes of it.
process.on('unhandledRejection', (reason) => rejections.push(String(reason)))
process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`))

process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const resources = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  const sample = {
    atMs: Math.round(performance.now()),
    heapUsed,
    external,
    arrayBuffers,
    rss,
    resources,
    listeners: {
      process: listenersOf(process),
      stdin: listenersOf(process.stdin),
      stdout: listenersOf(process.stdout),
    },
    socketListeners: Math.max(0, ...handles().map(listenersOf)),
    rejections,
    warnings,
  }
  appendFileSync(file, `${JSON.stringify(sample)}\n`)
})

/** @param emitter an event emitter */
function listenersOf(emitter) {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}

/** Sockets, without the streams of this process. */
function handles() {
  const streams = [process.stdin, process.stdout, process.stderr]
  return process._getActiveHandles().filter((one) => typeof one.eventNames === 'function' && !streams.includes(one))
}
