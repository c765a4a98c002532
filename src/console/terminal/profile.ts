/** What the terminal can show. Theme, glyphs and the painter derive from it; nothing else looks at the environment. */
export interface TerminalProfile {
  /** The sixteen colours of the operator's own palette may be used. */
  readonly colours: boolean
  /** Bold, dim, underlined and inverse text may be used (NO_COLOR does not forbid these). */
  readonly attributes: boolean
  /** Characters beyond ASCII may be used. */
  readonly unicode: boolean
  /** The cursor can be put anywhere. If not, lines that changed are written one after the other, and there is no alternate screen. */
  readonly addressable: boolean
  /** Somebody listens to the screen: text without layout, no ticking ages. */
  readonly screenReader: boolean
}

/**
 * Derives the profile from the environment.
 * - Colour: FORCE_COLOR (`0` and `false` forbid, everything else wants) stands above NO_COLOR (https://no-color.org: set and not empty),
 *   that above TERM=dumb. CI variables say nothing about a terminal that is there.
 * - Unicode: the first of LC_ALL, LC_CTYPE, LANG that is set names UTF-8, and `ascii` was not asked for.
 * - INK_SCREEN_READER: Ink 6 knows `true` alone; `1` is what people set, and to be passed over in silence is worst for those who cannot see it.
 */
export function terminalProfile(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly ascii: boolean },
): TerminalProfile {
  const dumb = (env.TERM ?? '') === '' || env.TERM === 'dumb'
  const screenReader = env.INK_SCREEN_READER === 'true' || env.INK_SCREEN_READER === '1'
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '') ?? ''
  return {
    colours: !screenReader && wantsColour(env, dumb),
    attributes: !dumb && !screenReader,
    unicode: !options.ascii && /utf-?8/i.test(locale),
    addressable: !dumb && !screenReader,
    screenReader,
  }
}

function wantsColour(env: Readonly<Record<string, string | undefined>>, dumb: boolean): boolean {
  const forced = env.FORCE_COLOR
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return !dumb && (env.NO_COLOR ?? '') === ''
}
