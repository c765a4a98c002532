import { displayWidth } from '../../text/display-width.js'
import type { Glyphs } from '../glyphs.js'
import { ageText } from '../layout/amounts.js'
import { cutMiddle } from '../layout/cut.js'
import { type Line, lineWidth, type Span, span, withRight } from '../layout/line.js'
import { sentenceLines } from '../layout/sentence.js'
import { wrapSentence } from '../layout/wrap.js'
import type { Token } from '../theme.js'

/** What is always in sight. */
export interface HeaderFacts {
  /** The profile's name, or where it was reached. */
  readonly cluster: string
  /** How the name looks; its own colour if the profile has one. */
  readonly clusterToken?: Token
  readonly clusterId: string | null
  readonly simulated: boolean
  readonly readOnly: boolean
  /** "9 brokers: 6 up, 3 DOWN (7 8 9)" on a view of its own, the view's title on others. */
  readonly about: string
  /** Null: nothing was read yet. */
  readonly read: { readonly ageMs: number; readonly stale: boolean; readonly complete: boolean } | null
  /** "broker 9 did not answer"; one each. */
  readonly silent: readonly string[]
  /** Sentences; each is shown whole, however many lines it takes. */
  readonly alarms: readonly string[]
  /** What is under way: "electing, batch 2 of 3". */
  readonly running: string | null
  readonly tabs: readonly { readonly digit: number; readonly label: string; readonly active: boolean }[]
}

/** Room for "read 12 s ago, in part" and a blank: what stands beside it must not jump with the age, nor as the last log comes in. */
const READ_ROOM = 23

/** The header's lines. Ages are left out for screen readers: they would be spoken again and again. */
export function headerLines(facts: HeaderFacts, width: number, glyphs: Glyphs, screenReader: boolean): Line[] {
  const name: Span[] = [' ']
  if (facts.simulated) name.push(span('simulated', 'SIMULATED'), ' ')
  if (facts.readOnly) name.push(span('warning', 'READ-ONLY'), ' ')
  name.push(span(facts.clusterToken ?? 'title', facts.cluster))
  if (facts.clusterId !== null) name.push(`  ${facts.clusterId}`)
  // On a line of its own where there is no room: who is missing, and which partition it is, must not be cut off.
  const read = readText(facts.read, screenReader)
  const room = Math.max(READ_ROOM, lineWidth(read) + 1)
  const beside = facts.about === '' || lineWidth(name) + 2 + displayWidth(facts.about) + room <= width
  if (beside && facts.about !== '') name.push(`  ${facts.about}`)
  return [
    ...facts.alarms.flatMap((alarm) =>
      wrapSentence(`${glyphs.warning} ${alarm}`, width, '  ').map((text): Line => [span('danger', text)]),
    ),
    withRight(name, read, width, glyphs.ellipsis),
    ...(beside ? [] : [` ${cutMiddle(facts.about, width - 1, glyphs.ellipsis)}`]),
    ...(facts.tabs.length === 0 ? [] : [tabsLine(facts.tabs, width)]),
    ...[...facts.silent, ...(facts.running === null ? [] : [facts.running])].flatMap((text) =>
      sentenceLines(text, width, 'warning'),
    ),
  ]
}

function readText(read: HeaderFacts['read'], screenReader: boolean): Line {
  if (read === null) return [span('muted', 'reading')]
  const age = screenReader ? 'read' : `read ${ageText(read.ageMs)}`
  const what = read.complete ? 'all' : 'in part'
  return read.stale ? [span('warning', `STALE, ${age}, ${what}`)] : [span('muted', `${age}, ${what}`)]
}

function tabsLine(tabs: HeaderFacts['tabs'], width: number): Line {
  // Narrow: first what stands behind a comma goes (the line above tells it, too), then the numbers behind the names, then all but a name's first word.
  const forms: readonly ((label: string) => string)[] = [
    (label) => label,
    (label) => label.replace(/, .*$/, ''),
    (label) => label.replace(/ [\d,]+.*$/, ''),
  ]
  const widthOf = (form: (label: string) => string) => tabs.reduce((sum, { label }) => sum + form(label).length + 5, 0)
  const text = forms.find((form) => widthOf(form) <= width) ?? ((label: string) => label.split(' ').at(0) ?? '')
  return tabs.flatMap(({ digit, label, active }): Span[] => [
    active ? '>' : ' ',
    span(active ? 'selected' : 'key', `[${digit}]`),
    active ? span('title', text(label)) : text(label),
    ' ',
  ])
}
