import type { AppView } from '../app/screen.js'
import { ruleLine } from '../components/panel.js'
import { progressLine } from '../components/progress-bar.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, type Span, span } from '../layout/line.js'
import { sentenceLines } from '../layout/sentence.js'
import { left, phaseText, type RunUnderWay, remainingMs, shareDone } from './run-progress.js'

/** A recovery under way: one bar for the whole with its phase, the counts, and the failures as they come, the newest last. */
export function runLines({ body, look, data }: AppView<ConsoleData>, run: RunUnderWay): Line[] {
  const { columns, rows } = body
  const { counts, total } = run
  const ended = counts.done + counts.failed + counts.skipped
  const head: Line[] = [
    ...sentenceLines(`Electing ${wholeNumber(run.plan.partitions.length)}: ${run.title}`, columns, 'title'),
    [
      ' ',
      ...asSpans(
        progressLine(
          {
            // One width for all phases: the bar does not jump.
            phase: phaseText(run).padEnd(phaseText({ ...run, phase: 'read logs' }).length),
            done: ended,
            total,
            part: shareDone(run),
            elapsedMs: data.now.getTime() - run.startedAt.getTime(),
            remainingMs: remainingMs(run, data.now),
          },
          columns - 1,
          look.glyphs,
        ),
      ),
    ],
    [
      ' ',
      span('ok', `${wholeNumber(counts.done)} done`),
      '  ',
      span(counts.failed > 0 ? 'danger' : 'plain', `${wholeNumber(counts.failed)} failed`),
      `  ${wholeNumber(counts.skipped)} skipped  ${wholeNumber(left(run))} left`,
    ],
    ...stoppingLines(run, columns),
  ]
  const said: Line[] = [
    ...run.notes.slice(-3).flatMap((note) => sentenceLines(note, columns, 'muted')),
    ...run.failures.flatMap((failure) => sentenceLines(failure, columns, 'danger')),
  ]
  const room = Math.max(0, rows - head.length - 1)
  const shown = said.slice(Math.max(0, said.length - room))
  const title = run.failures.length === 0 ? 'no failure so far' : `failures: ${wholeNumber(counts.failed)}`
  return [...head, ruleLine(title, columns, look.glyphs), ...shown].slice(0, rows)
}

function stoppingLines({ stopping }: RunUnderWay, columns: number): Line[] {
  if (stopping === null) return [[' ', span('muted', 'ctrl-c stops after the batch under way')]]
  return sentenceLines(`Stopping: ${stopping}`, columns, 'warning')
}

function asSpans(line: Line): readonly Span[] {
  return typeof line === 'string' ? [line] : line
}
