import { endText, succeeded } from '../../../repair/run-command.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { ruleLine } from '../../components/panel.js'
import type { ConsoleData } from '../../console-data.js'
import { bytesText, durationText, wholeNumber } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { commandText } from '../../planning/plan-words.js'
import type { CommandRun } from '../../repairing/command-run.js'
import { REPAIR_COMMAND_SCREEN } from '../../repairing/repair-state.js'

/** A command of a repair that runs: its output as it comes, the newest last; then how it ended. It goes on when the screen is left. */
export function commandScreen(): Screen<ConsoleData> {
  return {
    id: REPAIR_COMMAND_SCREEN,
    title: 'Command of a repair',
    render: (view) => body(commandLines(view), view.body),
  }
}

function commandLines({ data, body: size, look }: AppView<ConsoleData>): Line[] {
  const { command } = data
  if (command === null) return [' No command was run.']
  const { columns, rows } = size
  const head: Line[] = [
    ...wrapSentence(`${command.name} of broker ${command.broker}, ${command.path}`, columns - 1).map(
      (text): Line => [' ', span('title', text)],
    ),
    ...wrapSentence(commandText(command.argv), columns - 1, '  ').map((text): Line => [' ', span('input', text)]),
    ...stateLines(command, data.now, columns),
  ]
  const output = command.result !== null && command.result.droppedBytes > 0 ? command.result.output : command.lines
  const wrapped = output.slice(-rows).flatMap((line) => wrapSentence(line, columns - 2).map((text): Line => ` ${text}`))
  const room = Math.max(0, rows - head.length - 1)
  return [
    ...head,
    ruleLine(titleOf(command), columns, look.glyphs),
    ...wrapped.slice(Math.max(0, wrapped.length - room)),
  ].slice(0, rows)
}

function stateLines({ startedAt, timeLimitMs, stopping, result }: CommandRun, now: Date, columns: number): Line[] {
  if (result !== null) {
    const token = succeeded(result) ? 'ok' : 'danger'
    const what = succeeded(result) ? '' : ': whether it had an effect the cluster shows'
    return wrapSentence(`${endText(result)}${what}`, columns - 1).map((text): Line => [' ', span(token, text)])
  }
  const elapsed = durationText(now.getTime() - startedAt.getTime())
  const text =
    stopping === null
      ? `runs for ${elapsed}, at most ${durationText(timeLimitMs)}; ctrl-c ends it`
      : `Ending: ${stopping} (${elapsed})`
  return wrapSentence(text, columns - 1).map((line): Line => [' ', span(stopping === null ? 'muted' : 'warning', line)])
}

function titleOf({ lines, before, result }: CommandRun): string {
  if (result !== null && result.droppedBytes > 0)
    return `its last lines; ${bytesText(result.droppedBytes)} were not shown`
  if (lines.length === 0) return result === null ? 'no output yet' : 'no output'
  return before === 0 ? 'output' : `output, without its first ${wholeNumber(before)} lines`
}
