import type { ProfileColour } from '../config/profiles.js'
import { glyphsFor } from './glyphs.js'
import type { TerminalProfile } from './terminal/profile.js'

/** What a text means. How that looks is decided here alone; the meaning itself must also be told by a word or a glyph. */
export type Token =
  | 'plain'
  | 'title'
  | 'muted'
  | 'selected'
  | 'marked'
  | 'offline'
  | 'danger'
  | 'warning'
  | 'ok'
  | 'unknown'
  | 'key'
  | 'input'
  | 'caret'
  | 'simulated'
  | LabelToken

/** The name of a saved cluster in the colour that its owner gave it: a help to the eye, the name itself says which it is. */
export type LabelToken = `label.${ProfileColour}`

export function colourToken(colour: ProfileColour): LabelToken {
  return `label.${colour}`
}

export interface Theme {
  /** The text with the sequences for its meaning around it. The text must be safe already (layout/line.ts sees to that). */
  style(token: Token, text: string): string
  readonly ellipsis: string
}

/** SGR code that sets, SGR code that takes back (ECMA-48; 90 to 97 are bright colours by the terminal's own palette). */
type Sgr = readonly [set: number, reset: number]

const BOLD: Sgr = [1, 22]
const DIM: Sgr = [2, 22]
const UNDERLINE: Sgr = [4, 24]
const INVERSE: Sgr = [7, 27]
const RED: Sgr = [31, 39]
const GREEN: Sgr = [32, 39]
const YELLOW: Sgr = [33, 39]
const BLUE: Sgr = [34, 39]
const MAGENTA: Sgr = [35, 39]
const CYAN: Sgr = [36, 39]
const GRAY: Sgr = [90, 39]

const LOOKS: Readonly<Record<Token, { readonly colours: readonly Sgr[]; readonly attributes: readonly Sgr[] }>> = {
  plain: { colours: [], attributes: [] },
  title: { colours: [], attributes: [BOLD] },
  muted: { colours: [], attributes: [DIM] },
  selected: { colours: [], attributes: [INVERSE] },
  marked: { colours: [CYAN], attributes: [] },
  offline: { colours: [RED], attributes: [] },
  danger: { colours: [RED], attributes: [BOLD] },
  warning: { colours: [YELLOW], attributes: [] },
  ok: { colours: [GREEN], attributes: [] },
  unknown: { colours: [YELLOW], attributes: [] },
  key: { colours: [CYAN], attributes: [] },
  input: { colours: [], attributes: [UNDERLINE] },
  caret: { colours: [], attributes: [INVERSE] },
  simulated: { colours: [MAGENTA], attributes: [BOLD] },
  'label.red': { colours: [RED], attributes: [BOLD] },
  'label.yellow': { colours: [YELLOW], attributes: [BOLD] },
  'label.green': { colours: [GREEN], attributes: [BOLD] },
  'label.cyan': { colours: [CYAN], attributes: [BOLD] },
  'label.blue': { colours: [BLUE], attributes: [BOLD] },
  'label.magenta': { colours: [MAGENTA], attributes: [BOLD] },
  'label.gray': { colours: [GRAY], attributes: [BOLD] },
}

export function themeFor(profile: TerminalProfile): Theme {
  const around = new Map<Token, readonly [string, string]>()
  for (const [token, { colours, attributes }] of Object.entries(LOOKS) as [Token, (typeof LOOKS)[Token]][]) {
    const codes = [...(profile.attributes ? attributes : []), ...(profile.colours ? colours : [])]
    around.set(token, [
      codes.map(([set]) => `\x1b[${set}m`).join(''),
      codes
        .map(([, reset]) => `\x1b[${reset}m`)
        .reverse()
        .join(''),
    ])
  }
  return {
    ellipsis: glyphsFor(profile).ellipsis,
    style(token, text) {
      const [set, reset] = around.get(token) ?? ['', '']
      return text === '' ? '' : set + text + reset
    },
  }
}
