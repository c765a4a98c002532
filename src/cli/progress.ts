import type { SingleBar } from 'cli-progress'
import cliProgress from 'cli-progress'
import type { RecoveryEvent } from '../recovery/apply/outcome.js'
import type { Output } from './output.js'
import { isDone } from './text/report-text.js'
import { counted, numberText } from './text/words.js'

/** Progress of one job on stderr: a bar where that is a terminal, else a plain line when a phase begins. */
export interface Progress {
  readonly readingLogs: (done: number, total: number) => void
  readonly event: (event: RecoveryEvent) => void
  /** A line for the operator while the job goes on: the bar makes room for it. */
  readonly note: (line: string) => void
  readonly stop: () => void
}

export function startProgress(output: Output): Progress {
  return output.stderrColumns !== null ? bar(output, output.stderrColumns) : lines(output)
}

/** Without its bar a line has this much: phase, numbers, times. */
const WORDS_WIDTH = 68

interface Shown {
  readonly total: number
  readonly value: number
  readonly phase: string
}

function bar(output: Output, width: number): Progress {
  let single: SingleBar | null = null
  let shown: Shown = { total: 0, value: 0, phase: '' }
  const counts = { done: 0, failed: 0, left: 0 }
  let begun = performance.now()
  const size = Math.max(4, Math.min(40, width - WORDS_WIDTH))

  /** What the result will say, in its words; how long it may take only once some of it is done. */
  const line = () => {
    const { total, value, phase } = shown
    const filled = total === 0 ? 0 : Math.min(size, Math.round((value / total) * size))
    const seconds = (performance.now() - begun) / 1000
    const toGo = value > 0 && value < total ? Math.ceil((seconds / value) * (total - value)) : null
    return [
      phase,
      '#'.repeat(filled) + '-'.repeat(size - filled),
      `${numberText(value)}/${numberText(total)}`,
      ...(counts.failed > 0 ? [`failed ${numberText(counts.failed)}`] : []),
      ...(counts.left > 0 ? [`left ${numberText(counts.left)}`] : []),
      `${Math.round(seconds)} s${toGo === null ? '' : `, some ${numberText(toGo)} s to go`}`,
    ].join('  ')
  }
  const stop = () => {
    single?.stop()
    single = null
  }
  const show = (next: Shown) => {
    shown = next
    if (single !== null) return
    single = new cliProgress.SingleBar({
      // Worked out for each frame: the time goes on while nothing else does.
      format: line,
      stream: process.stderr,
      // Switched off it stays so for a message that comes in between, which is then cut.
      linewrap: true,
      // A signal lets the job end in order: the bar stays until then.
      gracefulExit: false,
      hideCursor: true,
      clearOnComplete: true,
      fps: 10,
    })
    single.start(next.total, next.value)
  }
  /** A line between two frames of the bar. */
  const say = (text: string) => {
    const wasShown = single !== null
    stop()
    output.note(text)
    if (wasShown) show(shown)
  }
  let total = 0
  let phase = ''
  const showCounts = () => show({ total: total - counts.left, value: counts.done, phase })
  return {
    stop,
    note: say,
    readingLogs: (read, of) => (read < of ? show({ total: of, value: read, phase: 'read logs' }) : stop()),
    event(event) {
      switch (event.type) {
        case 'started':
          total = event.total
          begun = performance.now()
          return
        case 'phase':
          phase = phaseText(event)
          showCounts()
          return
        case 'outcome': {
          const { result } = event.outcome
          // What the plan left out is not being worked on: it counts neither as done nor as failed.
          if (result === 'skipped' || result === 'notAttempted') counts.left += 1
          else {
            counts.done += 1
            if (!isDone(event.outcome)) counts.failed += 1
          }
          if (phase !== '') showCounts()
          return
        }
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
    note: output.note,
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
