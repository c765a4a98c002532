import { displayWidth } from '../../text/display-width.js'
import type { Look } from '../components/look.js'
import { ruleLine } from '../components/panel.js'
import { inputLine, promptLines } from '../components/prompt.js'
import { type Action, keyLabel, type Registry } from '../keys/registry.js'
import { type Line, lineWidth, type Span, span } from '../layout/line.js'
import { sentenceLines } from '../layout/sentence.js'
import { textOf } from '../state/line-edit.js'
import type { Overlay } from '../state/ui-state.js'
import { type ActionContext, actionScopes } from './screen.js'

/** Commands that the palette shows at once. */
const SHOWN_COMMANDS = 6

/** The lines below the body: a notice if there is one, then hints, or what is being typed. At most `height` lines. */
export function bottomLines<Data>(
  context: ActionContext<Data>,
  registry: Registry<ActionContext<Data>>,
  width: number,
  height: number,
): Line[] {
  const { overlay, notice } = context.ui
  const said = notice === null ? [] : sentenceLines(notice.text, width, notice.token)
  return [
    ...said.slice(0, Math.max(0, height - 1)),
    ...overlayLines(overlay, context, registry, width, height - said.length),
  ]
}

function overlayLines<Data>(
  overlay: Overlay | null,
  context: ActionContext<Data>,
  registry: Registry<ActionContext<Data>>,
  width: number,
  height: number,
): Line[] {
  const { look } = context
  switch (overlay?.kind) {
    case undefined:
      return [hintLine(registry.hints(actionScopes(context.screen), context), width)]
    case 'help':
      return [[span('muted', ' j/k scroll  esc back')]]
    case 'filter':
      return [inputLine('/', overlay.edit, width, look)]
    case 'palette': {
      const found = registry.palette(textOf(overlay.edit), actionScopes(context.screen), context)
      const why = reasonLines(found[overlay.index]?.action, context, width)
      const room = Math.max(0, Math.min(SHOWN_COMMANDS, height - 2 - why.length))
      const top = Math.max(0, Math.min(overlay.index - room + 1, found.length - room))
      return [
        ruleLine('commands', width, look.glyphs),
        ...(found.length === 0 ? [[span('muted', '  nothing is called so here: esc, then ? names every key')]] : []),
        ...found.slice(top, top + room).flatMap(({ action }, row) => {
          const here = top + row === overlay.index
          return [commandLine(action, here, context, look, here && why.length > 0), ...(here ? why : [])]
        }),
        inputLine(':', overlay.edit, width, look),
      ]
    }
    case 'question':
      return [ruleLine('', width, look.glyphs), ...promptLines(overlay, width, Math.max(2, height - 1), look)]
  }
}

/** Why the command under the cursor does nothing now, whole, where that has no room beside it. */
function reasonLines<Data>(
  action: Action<ActionContext<Data>> | undefined,
  context: ActionContext<Data>,
  width: number,
): Line[] {
  const may = action?.enabled?.(context)
  if (action === undefined || typeof may !== 'string') return []
  const line = commandLine(action, true, context, context.look, false)
  return lineWidth(line) <= width ? [] : sentenceLines(`(${may})`, width, 'muted', '    ')
}

/** `reasonBelow`: it is told in lines of its own. */
function commandLine<Data>(
  action: Action<ActionContext<Data>>,
  here: boolean,
  context: ActionContext<Data>,
  look: Look,
  reasonBelow: boolean,
): Line {
  const may = action.enabled?.(context) ?? true
  const name = `${action.label}${action.argument === undefined ? '' : ` ${action.argument}`}`
  const key = action.keys[0] === undefined ? '' : `  ${keyLabel(action.keys[0])}`
  const parts: Span[] = [here ? `${look.glyphs.cursor} ` : '  ', here ? span('selected', name) : name, span('key', key)]
  if (typeof may === 'string' && !reasonBelow) parts.push(span('muted', `  (${may})`))
  return parts
}

/** What fits, in order; help and quit stand at the end and are kept. */
export function hintLine<Context>(actions: readonly Action<Context>[], width: number): Line {
  const texts = actions.map(({ keys, hint }) => ({ key: keyLabel(keys[0] ?? ''), hint: hint ?? '' }))
  const size = ({ key, hint }: (typeof texts)[number]) => displayWidth(key) + displayWidth(hint) + 3
  const total = () => texts.reduce((sum, text) => sum + size(text), 1)
  // What helps to find the others goes last.
  while (total() > width && texts.length > 3) texts.splice(texts.length - 4, 1)
  return [' ', ...texts.flatMap(({ key, hint }): Span[] => [span('key', key), ` ${hint}  `])]
}
