import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built program. */
export const bin = fileURLToPath(new URL('../../bin/kafka-recovery.js', import.meta.url))
export const BROKERS = 30
const PARTITIONS = 500

/**
 * A large cluster, three of its 30 brokers down, on a simulator in a process of its own: `topics` of 500 partitions, a share of them offline. `stop`
 * ends it, and takes away its folder, which is for the caller's files, too.
 */
export async function startLargeCluster({ topics, offlineShare }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const requestLog = join(folder, 'requests.jsonl')
  const scenario = {
    clusterId: 'SIMULATED-bench',
    personality: 'stock',
    brokers: Array.from({ length: BROKERS }, (_, i) => ({
      id: i + 1,
      state: i < 3 ? 'down' : 'up',
      logDirs: ['/data/a', '/data/b'],
    })),
    topics: Array.from({ length: topics }, (_, i) => ({
      name: `topic-${String(i).padStart(3, '0')}`,
      partitionCount: PARTITIONS,
      replicationFactor: 3,
      offlineShare,
      seed: i + 1,
    })),
  }
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify(scenario))
  const simulator = spawn(
    process.execPath,
    [bin, 'simulate', '--scenario', join(folder, 'scenario.json'), '--request-log', requestLog],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const stop = () => {
    simulator.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { bootstrapServers } = JSON.parse(await firstLine(simulator.stdout))
    return {
      folder,
      requestLog,
      partitions: topics * PARTITIONS,
      servers: bootstrapServers.split(',').slice(0, 5).join(','),
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

async function firstLine(stream) {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  throw new Error('the simulator ended before it listened')
}
