import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { startCluster } from './harness/cluster.js'
import { leaveLongerLogOnOlderEpoch } from './harness/diverge.js'
import { kafkaJars } from './harness/jars.js'
import { divergingEpoch, listOffset } from './harness/raw-reads.js'
import { GaveUpWaitingError, until } from './harness/until.js'

// The harness itself: it says what is missing, gives up with what it saw, and leaves nothing behind.

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a cluster', () => {
  test('without ELR: the longest log on an older epoch, and dispose leaves neither process nor folder', async () => {
    const cluster = await startCluster({ version: '4.4.0', elr: false })
    const javas = async () =>
      (await execa('ps', ['-eo', 'args'])).stdout.split('\n').filter((line) => line.includes(cluster.folder))
    try {
      const [partition] = await leaveLongerLogOnOlderEpoch(cluster, [{ name: 'older', assignment: [[1, 2, 3]] }])
      const ends = await Promise.all(
        [1, 2].map(async (id) => (await listOffset(cluster.broker(id), 'older', 0, LATEST_TIMESTAMP)).offset),
      )
      expect(ends).toEqual([30, 15])
      expect(ends).toEqual([1, 2].map((id) => partition!.logs.get(id)!.length))
      expect((await divergingEpoch(cluster.broker(1), 'older', 0, 0)).diverging).toEqual([0, 30])
      expect((await divergingEpoch(cluster.broker(2), 'older', 0, 0)).diverging).toEqual([0, 10])
      // What a cluster without ELR tells: the last leader stays in the ISR; both lists are empty, not null.
      expect((await cluster.describe('older'))[0]).toMatchObject({ leader: -1, isr: [3], elr: [], lastKnownElr: [] })
      expect(await javas()).toHaveLength(3)
    } finally {
      await cluster.dispose()
    }
    expect(await javas()).toEqual([])
    expect(existsSync(cluster.folder)).toBe(false)
    await cluster.dispose()
  })

  test('that can not start says why, with the end of the log, and leaves nothing behind', async () => {
    const before = folders()
    await expect(startCluster({ version: '4.4.0', brokers: 1, config: { 'num.io.threads': '-3' } })).rejects.toThrow(
      /ended with exit code 1 instead of starting:[\s\S]*num\.io\.threads/,
    )
    expect(folders()).toEqual(before)
  })

  test('ends with the run that started it, however that ended: without standard input a broker halts', async () => {
    const { classpath } = await kafkaJars('4.4.0')
    const { exitCode } = await execa('java', ['-cp', classpath, 'KafkaNode', 'start', 'no.properties'], {
      stdin: 'ignore',
      reject: false,
    })
    expect(exitCode).toBe(137)
  })
})

describe('the jars', () => {
  test('a machine without Maven is told what to install, and nothing half done stays in the cache', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'jars-'))
    try {
      vi.stubEnv('KAFKA_RECOVERY_TEST_CACHE', cache)
      vi.stubEnv('PATH', cache)
      await expect(kafkaJars('4.4.0')).rejects.toThrow(/mvn is not installed\. .*apt-get install maven/)
      expect(readdirSync(cache)).toEqual([])
    } finally {
      rmSync(cache, { recursive: true })
    }
  })

  test('a version that does not exist is refused by its form', async () => {
    await expect(kafkaJars('4.4; rm -rf')).rejects.toThrow('not a Kafka version')
  })
})

test('waiting gives up with what it waited for and what it saw last', async () => {
  const waiting = until('the moon', () => ({ seen: { clouds: 3n } }), { deadlineMs: 20, everyMs: 1 })
  await expect(waiting).rejects.toThrow(GaveUpWaitingError)
  await expect(waiting).rejects.toThrow(/gave up waiting for the moon after \d+ ms; seen last: {"clouds":3}/)
})

/** Of this run alone: other runs come and go. */
function folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`kafka-recovery-test-${process.pid}-`))
}
