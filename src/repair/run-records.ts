import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../folders/make-folder.js'
import { clusterFileName, readIfThere, replaceFile } from '../recovery/files/cluster-file.js'
import type { CommandResult } from './run-command.js'

/** A command of a repair that was run: kept, so that the next one who looks sees what was done. */
export interface RunRecord {
  readonly broker: number
  readonly path: string
  readonly step: string
  readonly startedAt: Date
  /** ms */
  readonly durationMs: number
  readonly end: CommandResult['end']
  readonly argv: readonly string[]
}

export interface RunRecords {
  /** Of this directory, the oldest first. What cannot be understood is left out. */
  load(clusterId: string, broker: number, path: string): Promise<RunRecord[]>
  add(clusterId: string, record: RunRecord): Promise<void>
}

const end = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.int() }),
  z.object({ kind: z.literal('signal'), signal: z.string() }),
  z.object({ kind: z.literal('timedOut') }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('notStarted'), reason: z.string() }),
])
const line = z.object({
  broker: z.int(),
  path: z.string(),
  step: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
  end,
  argv: z.array(z.string()),
})

/** The file is cut back to its last records beyond this. bytes */
const LARGEST_FILE = 1024 * 1024
const RECORDS_KEPT = 500

/** One file of JSON lines for each cluster, for its owner alone. */
export function nodeRunRecords(folder: string): RunRecords {
  const pathOf = (clusterId: string) => join(folder, `repairs-${clusterFileName(clusterId)}.jsonl`)
  return {
    async load(clusterId, broker, path) {
      const bytes = await readIfThere(pathOf(clusterId))
      if (bytes === null) return []
      return recordsIn(bytes.toString('utf8')).filter((one) => one.broker === broker && one.path === path)
    },
    async add(clusterId, record) {
      makeFolder(folder)
      const text = `${JSON.stringify({ ...record, startedAt: record.startedAt.toISOString() })}\n`
      const file = await open(pathOf(clusterId), 'a', 0o600)
      let size: number
      try {
        await file.appendFile(text)
        await file.sync()
        size = (await file.stat()).size
      } finally {
        await file.close()
      }
      if (size <= LARGEST_FILE) return
      const bytes = await readIfThere(pathOf(clusterId))
      const lines = (bytes?.toString('utf8') ?? '').trimEnd().split('\n').slice(-RECORDS_KEPT)
      await replaceFile(pathOf(clusterId), `${lines.join('\n')}\n`)
    },
  }
}

function recordsIn(text: string): RunRecord[] {
  return text.split('\n').flatMap((one) => {
    try {
      const parsed = line.safeParse(JSON.parse(one))
      return parsed.success ? [{ ...parsed.data, startedAt: new Date(parsed.data.startedAt) }] : []
    } catch {
      return []
    }
  })
}
