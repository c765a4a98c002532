import type { ReactElement } from 'react'
import { displayWidth, tailWithin } from '../../text/display-width.js'
import { type Line, type Span, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import type { LineEdit } from '../state/line-edit.js'
import type { Question } from '../state/ui-state.js'
import { Lines } from './lines.js'
import { type Look, useLook } from './look.js'

/** A line that is being edited, with its caret; it scrolls where it is longer than `width`. */
export function inputLine(before: string, edit: LineEdit, width: number, look: Look): Line {
  const { characters, caret } = edit
  const left = characters.slice(0, caret).join('')
  const under = characters[caret] ?? ' '
  const room = Math.max(1, width - displayWidth(before) - displayWidth(under))
  const shown = tailWithin(left, room)
  const right = characters.slice(caret + 1).join('')
  const at: Span[] = look.profile.attributes ? [span('caret', under)] : caret < characters.length ? ['_', under] : ['_']
  return [before, span('input', shown), ...at, span('input', right)]
}

/** A question: what has to be known, what is to be typed, the line, and what happened to what was typed. */
export function Prompt(props: QuestionView & { readonly width: number; readonly height: number }): ReactElement | null {
  const look = useLook()
  return <Lines lines={promptLines(props, props.width, props.height, look)} width={props.width} />
}

export interface QuestionView {
  readonly question: Question
  readonly edit: LineEdit
  readonly note: string | null
}

/** At most `height` lines: the body is cut first, the label and the line always show. */
export function promptLines({ question, edit, note }: QuestionView, width: number, height: number, look: Look): Line[] {
  const foot: Line[] = [
    ...wrapSentence(question.label, width).map((text): Line => [span('title', text)]),
    inputLine('> ', edit, width, look),
    note === null
      ? [
          span(
            'muted',
            question.expected === null
              ? 'enter: accept  esc: cancel'
              : 'enter: confirm  esc: cancel  anything else typed cancels',
          ),
        ]
      : [span('warning', note)],
  ]
  const room = Math.max(0, height - foot.length)
  if (question.body.length <= room) return [...question.body, ...foot].slice(-height)
  const kept = question.body.slice(0, Math.max(0, room - 1))
  const more: Line[] =
    room > 0 ? [[span('muted', `${look.glyphs.below} ${question.body.length - kept.length} more lines`)]] : []
  return [...kept, ...more, ...foot].slice(-height)
}
