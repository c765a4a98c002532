import { describe, expect, it } from 'vitest'
import { glyphsFor } from '../../../src/console/glyphs.js'
import { terminalProfile } from '../../../src/console/terminal/profile.js'
import { type Token, themeFor } from '../../../src/console/theme.js'
import { displayWidth } from '../../../src/text/display-width.js'

// Proves what the environment says about a terminal, and that looks follow from that alone.

const usual = { TERM: 'xterm-256color', LANG: 'en_US.UTF-8' }
const of = (env: Record<string, string>, ascii = false) => terminalProfile(env, { ascii })

describe('terminalProfile', () => {
  it.each([
    [usual, { colours: true, attributes: true, unicode: true, addressable: true, screenReader: false }],
    [
      { ...usual, NO_COLOR: '1' },
      { colours: false, attributes: true },
    ],
    [{ ...usual, NO_COLOR: '' }, { colours: true }],
    [{ ...usual, NO_COLOR: '1', FORCE_COLOR: '1' }, { colours: true }],
    [{ ...usual, FORCE_COLOR: '0' }, { colours: false }],
    [
      { ...usual, CI: 'true', GITHUB_ACTIONS: 'true' },
      { colours: true, addressable: true },
    ],
    [
      { ...usual, TERM: 'dumb' },
      { colours: false, attributes: false, addressable: false },
    ],
    [{ LANG: 'C.UTF-8' }, { addressable: false }],
    [{ ...usual, LC_ALL: 'C' }, { unicode: false }],
    [{ ...usual, LC_CTYPE: 'de_DE.utf8', LANG: 'C' }, { unicode: true }],
    [{ TERM: 'xterm' }, { unicode: false, colours: true }],
    [
      { ...usual, INK_SCREEN_READER: 'true' },
      { screenReader: true, addressable: false, colours: false, attributes: false },
    ],
    [
      { ...usual, INK_SCREEN_READER: '1' },
      { screenReader: true, addressable: false },
    ],
    [
      { ...usual, INK_SCREEN_READER: '0' },
      { screenReader: false, addressable: true },
    ],
  ])('%j', (env, profile) => {
    expect(of(env)).toMatchObject(profile)
  })

  it('--ascii is stronger than the locale', () => {
    expect(of(usual, true).unicode).toBe(false)
  })
})

describe('glyphs', () => {
  it('take one column (the ellipsis of ASCII three), and ASCII ones are ASCII', () => {
    for (const [name, glyph] of Object.entries(glyphsFor(of(usual)))) expect(displayWidth(glyph), name).toBe(1)
    for (const glyph of Object.values(glyphsFor(of(usual, true)))) expect(glyph).toMatch(/^[ -~]{1,3}$/)
  })
})

describe('the theme', () => {
  const tokens: Token[] = [
    'title',
    'muted',
    'selected',
    'marked',
    'offline',
    'danger',
    'warning',
    'ok',
    'unknown',
    'key',
    'input',
    'caret',
    'simulated',
  ]

  it('writes nothing where nothing may be written, and closes what it opens', () => {
    const bare = themeFor(of({ ...usual, TERM: 'dumb' }))
    const full = themeFor(of(usual))
    for (const token of tokens) {
      expect(bare.style(token, 'x')).toBe('x')
      const sequences = full.style(token, 'x').split('x')
      expect(sequences[0]?.length, token).toBeGreaterThan(0)
      expect(sequences[1]?.split('m').length, token).toBe(sequences[0]?.split('m').length)
    }
  })
})
