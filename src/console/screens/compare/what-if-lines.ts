import type { Candidate, Comparison } from '../../../recovery/comparison/comparison.js'
import type { LostRange } from '../../../recovery/planning/plan.js'
import type { StartLoss, StartOutcome } from '../../../recovery/returns/if-started.js'
import { wholeNumber } from '../../layout/amounts.js'
import { pad } from '../../layout/cut.js'
import { type Line, type Span, span } from '../../layout/line.js'
import { sentenceLines } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { lossText } from '../listing/partition-cells.js'

/** What every candidate would lose, and what comes of starting a missing broker: before anything is chosen. `chosen`: by hand. */
export function whatIfLines(
  comparison: Comparison,
  cursor: number | null,
  width: number,
  signs: { readonly cursor: string },
  chosen: number | null = null,
): Line[] {
  const { candidates, ifStarted } = comparison
  const narrow = width < 76
  const startTitle = ({ broker, disk }: StartOutcome) =>
    narrow ? ` IF ${broker} UP ${disk}` : `   IF ${broker} STARTS  ${disk} disk`
  const leftWidth = Math.max(narrow ? 18 : 25, ...ifStarted.map((outcome) => startTitle(outcome).length + 2))
  const rights = [
    ...candidates.map(({ loss }) => lossText({ atLeast: loss.atLeast, open: loss.known === null })),
    ...ifStarted.map(({ lost }) => startLossText(lost)),
  ]
  const rightWidth = Math.max(13, ...rights.map(({ length }) => length))
  const middle = width - leftWidth - rightWidth - 3
  const row = (
    before: string,
    text: string,
    right: string,
    token: 'plain' | 'unknown' | 'danger',
    selected: boolean,
  ): Line[] =>
    wrapSentence(text, middle).map((piece, index): Line => {
      const parts: Span[] =
        index === 0
          ? [
              `${pad(before, leftWidth, 'left')}${pad(piece, middle, 'left')}  `,
              span(token, pad(right, rightWidth, 'right')),
            ]
          : [`${' '.repeat(leftWidth)}${piece}`]
      return selected && index === 0
        ? [span('title', parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''))]
        : parts
    })
  const lines: Line[] =
    candidates.length === 0
      ? sentenceLines('Nobody can lead now: no replica is alive, online and read.', width, 'warning', '   ')
      : [
          [
            span(
              'muted',
              `${pad('   IF THIS LEADS', leftWidth, 'left')}${pad('THESE ARE LOST', middle, 'left')}  ${pad('lost at least', rightWidth, 'right')}`,
            ),
          ],
        ]
  for (const candidate of candidates) {
    const here = candidate.broker === cursor
    const by = candidate.broker === chosen ? '(CHOSEN)' : candidate.by === 'rank' ? '(rank)' : '(by hand)'
    const open = candidate.loss.known === null
    lines.push(
      ...row(
        ` ${here ? signs.cursor : ' '} ${candidate.broker}  ${by}`,
        lossesText(candidate),
        lossText({ atLeast: candidate.loss.atLeast, open }),
        open ? 'unknown' : 'plain',
        here,
      ),
    )
    if (!('designatedLeader' in candidate.decided)) {
      const { code, reason } = candidate.decided
      for (const text of wrapSentence(`refused, ${code}: ${reason}`, width - 8))
        lines.push([span('danger', `       ${text}`)])
    } else if (candidate.decided.committedAtLeast > 0) {
      const committed = wholeNumber(candidate.decided.committedAtLeast)
      lines.push([span('warning', `       of these ${committed} or more had been committed`)])
    }
  }
  for (const outcome of ifStarted) {
    lines.push(...row(startTitle(outcome), outcome.text, startLossText(outcome.lost), tokenOf(outcome), false))
  }
  return lines
}

/** "3: 1,199,870-1,200,230 (361); 8: ?" */
export function lossesText({ loss, unread }: Candidate): string {
  const read = loss.perReplica.flatMap(({ broker, offsets, ranges }) => {
    if (offsets === null) return [`${broker}: ? (epochs unknown)`]
    return offsets === 0 ? [] : [`${broker}: ${rangesText(ranges)} (${wholeNumber(offsets)})`]
  })
  const all = [...read, ...unread.map((broker) => `${broker}: ?`)]
  return all.length === 0 ? 'nothing' : all.join('; ')
}

/** Neighbouring ranges as one, whatever their epochs. Inclusive ends. */
function rangesText(ranges: readonly LostRange[]): string {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && last.to + 1 === from) last.to = to
    else merged.push({ from, to })
  }
  return merged.map(({ from, to }) => `${wholeNumber(from)}-${wholeNumber(to)}`).join(', ')
}

function startLossText(lost: StartLoss): string {
  switch (lost.kind) {
    case 'nothing':
      return 'nothing'
    case 'unknown':
      return '?'
    case 'all':
      return 'all'
    case 'offsets':
      return lossText(lost)
  }
}

function tokenOf({ harmful, lost }: StartOutcome): 'plain' | 'unknown' | 'danger' {
  if (harmful) return 'danger'
  return lost.kind === 'unknown' || (lost.kind === 'offsets' && lost.open) ? 'unknown' : 'plain'
}
