import type { SingleBar } from 'cli-progress'
import cliProgress from 'cli-progress'
import type { RecoveryEvent } from '../recovery/outcome.js'
import type { Output } from './output.js'
import { isDone } from './text/report-text.js'
import { counted } from './text/words.js'

/** Progress of one job on stderr: a bar where that is a terminal, else a plain line when a phase begins. */
export interface Progress {
  readonly readingLogs: (done: number, total: number) => void
  readonly event: (event: RecoveryEvent) => void
  readonly stop: () => void
}

export function startProgress(output: Output): Progress {
  return output.stderrIsTerminal ? bar(output) : lines(output)
}

function bar(output: Output): Progress {
  let single: SingleBar | null = null
  let failed = 0
  let done = 0
  const stop = () => {
    single?.stop()
    single = null
  }
  const show = (total: number, value: number, phase: string) => {
    if (single === null) {
      single = new cliProgress.SingleBar({
        format: '{phase} {bar} {value}/{total}  failed {failed}  {duration_formatted}, left {eta_formatted}',
        stream: process.stderr,
        barCompleteChar: '#',
        barIncompleteChar: '-',
        hideCursor: true,
        clearOnComplete: true,
        fps: 10,
      })
      single.start(total, value, { phase, failed })
    }
    single.update(value, { phase, failed })
  }
  /** A line between two frames of the bar. */
  const say = (line: string) => {
    stop()
    output.note(line)
  }
  let total = 0
  let phase = ''
  return {
    stop,
    readingLogs: (read, of) => (read < of ? show(of, read, 'read logs') : stop()),
    event(event) {
      switch (event.type) {
        case 'started':
          total = event.total
          return
        case 'phase':
          phase = phaseText(event)
          show(total, done, phase)
          return
        case 'outcome':
          done += 1
          if (!isDone(event.outcome)) failed += 1
          show(total, done, phase)
          return
        case 'finished':
          stop()
          return
        default:
          say(eventLine(event))
      }
    },
  }
}

function lines(output: Output): Progress {
  return {
    stop: () => {},
    readingLogs: () => {},
    event(event) {
      switch (event.type) {
        case 'started':
          if (event.batches > 0)
            output.note(`${counted(event.total, 'partition')}, ${counted(event.batches, 'batch', 'batches')}`)
          return
        case 'phase':
          output.note(phaseText(event))
          return
        case 'outcome':
        case 'finished':
          return
        default:
          output.note(eventLine(event))
      }
    },
  }
}

function phaseText({ phase, batch, batches }: Extract<RecoveryEvent, { type: 'phase' }>): string {
  return batches > 1 ? `batch ${batch} of ${batches}: ${phase}` : phase
}

function eventLine(event: Extract<RecoveryEvent, { type: 'retry' | 'notice' | 'stopping' }>): string {
  switch (event.type) {
    case 'retry':
      return `retry ${event.attempt} of ${event.of}: ${event.reason}`
    case 'notice':
      return event.text
    case 'stopping':
      return `no new batch is begun: ${event.reason}`
  }
}
