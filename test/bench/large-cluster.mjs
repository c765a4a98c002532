// 200,000 partitions on 30 brokers, 20,000 of them offline, served by a simulator in a process of its own. Each command of the
// client runs in its own process, too. Prints wall time, the client's own processor time, requests, rounds (how many round
// trips follow each other), bytes and the client's peak memory.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BROKERS, bin, startLargeCluster } from './simulated-cluster.mjs'

const hook = fileURLToPath(new URL('./client-hook.mjs', import.meta.url))
const unbundled = fileURLToPath(new URL('./unbundled-program.mjs', import.meta.url))
/** Far longer than anything takes to encode or decode. ms */
const ROUND_MS = 300

const { folder, requestLog, partitions, servers, stop } = await startLargeCluster({ topics: 400, offlineShare: 0.1 })

try {
  const server = ['--bootstrap-server', servers]
  const plan = join(folder, 'plan.json')
  // A simulator on a machine that does other things as well answers slowly: late logs would be other work than logs that are there.
  const patient = [...server, '--recovery-duration-ms', '180000', '--request-timeout-ms', '180000']
  console.log(`${partitions} partitions, ${BROKERS} brokers (3 down), Node ${process.version}`)
  console.log('command                   seconds  processor s  requests  rounds  peak MB  stdout KB  exit')
  await measure('status', ['status', ...server], { rounds: true })
  await measure('status --json', ['status', ...server, '--json'], { rounds: true })
  await measure('replicas (offline)', ['replicas', '--all-offline-partitions', ...patient], { rounds: true })
  await measure('plan', ['plan', '--all-offline-partitions', ...patient, '--output', plan], { rounds: true })
  // It elects what is offline, so it runs once: its rounds are not counted.
  await measure('elect', ['elect', '--plan', plan, '--yes', ...patient], { rounds: false })
  await measure('status', ['status', ...server], { rounds: false })
} finally {
  stop()
}

async function measure(name, args, { rounds }) {
  const logFrom = sizeOf(requestLog)
  const { exit, seconds, bytes, stderr, used } = await run(args, 0)
  const requests = readFileSync(requestLog, 'utf8')
    .slice(logFrom)
    .split('\n')
    .slice(0, -1)
    .map((l) => JSON.parse(l))
  const counted = rounds ? String((await run(args, ROUND_MS)).used.rounds) : '-'
  const columns = [
    name.padEnd(24),
    seconds.toFixed(2).padStart(8),
    used.processorSeconds.toFixed(2).padStart(12),
    String(requests.length).padStart(9),
    counted.padStart(7),
    used.peakMb.toFixed(0).padStart(8),
    (bytes / 1024).toFixed(0).padStart(10),
    String(exit).padStart(5),
  ]
  console.log(columns.join(' '))
  const counts = {}
  for (const { api } of requests) counts[api] = (counts[api] ?? 0) + 1
  console.log(
    `  ${Object.entries(counts)
      .map(([api, count]) => `${api} ${count}`)
      .join(', ')}`,
  )
  if (exit !== 0) console.log(`  last on stderr: ${stderr.trim().split('\n').at(-1)}`)
}

async function run(args, roundMs) {
  const hookFile = join(folder, 'hook.json')
  // A plan is not written over one that is there.
  for (const [index, word] of args.entries()) if (args[index - 1] === '--output') rmSync(word, { force: true })
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', hook, roundMs > 0 ? unbundled : bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOOK_FILE: hookFile,
      ROUND_MS: String(roundMs),
      KAFKA_RECOVERY_HOME: join(folder, 'home'),
    },
  })
  let bytes = 0
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length
  })
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000)
  })
  const exit = await new Promise((resolve) => child.on('close', resolve))
  const seconds = (performance.now() - startedAt) / 1000
  return { exit, seconds, bytes, stderr, used: JSON.parse(readFileSync(hookFile, 'utf8')) }
}

function sizeOf(file) {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
