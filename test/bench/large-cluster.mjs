// 200,000 partitions on 30 brokers, 20,000 of them offline, served by a simulator in a process of its own. Each command of the
// client runs in its own process, too. Prints wall time, requests, rounds, bytes and the client's peak memory.
import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BROKERS, bin, startLargeCluster } from './simulated-cluster.mjs'

const { folder, requestLog, partitions, servers, stop } = await startLargeCluster({ topics: 400, offlineShare: 0.1 })
// Written at the end of each client process: what it used at most.
writeFileSync(
  join(folder, 'peak.mjs'),
  `import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)))`,
)

try {
  const server = ['--bootstrap-server', servers]
  const plan = join(folder, 'plan.json')
  console.log(`${partitions} partitions, ${BROKERS} brokers (3 down), Node ${process.version}`)
  console.log('command                   seconds  requests  peak MB  stdout KB  exit')
  await measure('status', ['status', ...server])
  await measure('status --json', ['status', ...server, '--json'])
  await measure('replicas (offline)', ['replicas', '--all-offline-partitions', ...server])
  await measure('plan', ['plan', '--all-offline-partitions', ...server, '--output', plan])
  await measure('elect', ['elect', '--plan', plan, '--yes', ...server])
  await measure('status', ['status', ...server])
} finally {
  stop()
}

async function measure(name, args) {
  const logFrom = sizeOf(requestLog)
  const peakFile = join(folder, 'peak')
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', join(folder, 'peak.mjs'), bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PEAK_FILE: peakFile, KAFKA_RECOVERY_HOME: join(folder, 'home') },
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
  const requests = readFileSync(requestLog, 'utf8')
    .slice(logFrom)
    .split('\n')
    .slice(0, -1)
    .map((l) => JSON.parse(l))
  const peak = Number(readFileSync(peakFile, 'utf8')) / 1024
  const columns = [
    name.padEnd(24),
    seconds.toFixed(2).padStart(8),
    String(requests.length).padStart(9),
    peak.toFixed(0).padStart(8),
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

function sizeOf(file) {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
