// Loaded into the real program with `node --import`: numbers each step that could be the last one of a run that writes (what happens to the
// journal's folder, and each request that changes a cluster) and ends the process, or makes the step fail, at the one that is asked for.
// POWER holds the settings, one JSON object; see `Power` in run-program.ts.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { basename, dirname } from 'node:path'

const {
  log,
  folder,
  cutAt = 0,
  mode = 'before',
  failFrom = 0,
  failTo = failFrom,
  code = 'ENOSPC',
  clockAheadMs = 0,
} = JSON.parse(process.env.POWER ?? '{}')

const original = { ...fs.promises }
const appendSync = fs.appendFileSync
const writeSync = fs.writeSync
const API_NAMES = new Map([
  [43, 'elect'],
  [45, 'reorder'],
])
let steps = 0
/** The request that is being waited for is the one whose answer is to be the last thing that happened. */
let dieNext = false

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way: nothing may happen any more.
  for (;;);
}

function fail(what) {
  return Object.assign(new Error(`${code}: made to fail, ${what}`), { code, syscall: what })
}

/** Counts a step and says whether it is the one to be cut in. */
function count(label) {
  if (dieNext) die()
  steps += 1
  if (log !== undefined) appendSync(log, `${steps} ${label}\n`)
  return steps === cutAt
}

/** @param torn does half of it, synchronously */
function disk(label, act, torn = () => {}) {
  if (count(label)) {
    if (mode === 'torn') torn()
    die()
  }
  if (failFrom > 0 && steps >= failFrom && steps <= failTo) {
    torn()
    return Promise.reject(fail(label))
  }
  return act()
}

const isOurs = (path) =>
  folder !== undefined && typeof path === 'string' && (path === folder || dirname(path) === folder)
const kindOf = (path) => basename(path).replace(/^.*\.(journal|closed)\.jsonl$/, '$1')

const entryOf = (bytes) => /"entry":\{"type":"([a-z-]+)"/.exec(Buffer.from(bytes).toString())?.[1] ?? 'bytes'

fs.promises.open = async (path, flags = 'r', ...rest) => {
  if (!isOurs(path)) return original.open(path, flags, ...rest)
  const kind = path === folder ? 'folder' : kindOf(path)
  const writes =
    typeof flags === 'string' ? /[wa]/.test(flags) : (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
  const handle = await (writes
    ? disk(`open ${kind}`, () => original.open(path, flags, ...rest))
    : original.open(path, flags, ...rest))
  if (!writes && kind !== 'folder') return handle
  const { appendFile, writeFile, sync, truncate } = handle
  const half = (bytes) => () => writeSync(handle.fd, bytes.subarray(0, Math.max(1, bytes.length >> 1)))
  handle.appendFile = (bytes, ...more) =>
    disk(`write ${kind} ${entryOf(bytes)}`, () => appendFile.call(handle, bytes, ...more), half(bytes))
  handle.writeFile = (bytes, ...more) =>
    disk(`write ${kind}`, () => writeFile.call(handle, bytes, ...more), half(bytes))
  handle.sync = () => disk(`sync ${kind}`, () => sync.call(handle))
  handle.truncate = (...more) => disk(`truncate ${kind}`, () => truncate.call(handle, ...more))
  return handle
}
fs.promises.rename = (from, to) =>
  isOurs(from) ? disk(`rename ${kindOf(from)}`, () => original.rename(from, to)) : original.rename(from, to)
fs.promises.unlink = (path) =>
  isOurs(path) ? disk(`unlink ${kindOf(path)}`, () => original.unlink(path)) : original.unlink(path)
fs.promises.mkdir = (path, ...rest) =>
  isOurs(path) ? disk('mkdir', () => original.mkdir(path, ...rest)) : original.mkdir(path, ...rest)
syncBuiltinESMExports()

const write = net.Socket.prototype.write
net.Socket.prototype.write = function writeFrame(chunk, encoding, callback) {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk
  if (dieNext) die()
  const isFrame = bytes.length >= 8 && Buffer.isBuffer(bytes) && bytes.readInt32BE(0) === bytes.length - 4
  const api = isFrame ? API_NAMES.get(bytes.readInt16BE(4)) : undefined
  if (api === undefined || !count(`request ${api}`)) return write.call(this, chunk, encoding, callback)
  if (mode === 'before') die()
  if (mode === 'answered') {
    // Whatever the process does next, it has got the answer: one writing request is under way at a time.
    dieNext = true
    return write.call(this, chunk, encoding, callback)
  }
  // Sent: the bytes are with the system, which delivers them although the process is gone.
  return write.call(this, bytes, () => die())
}

if (clockAheadMs > 0) {
  const Present = Date
  globalThis.Date = class extends Present {
    constructor(...args) {
      super(...(args.length === 0 ? [Present.now() + clockAheadMs] : args))
    }
    static now() {
      return Present.now() + clockAheadMs
    }
  }
}
