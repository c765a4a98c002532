import { createContext, useContext } from 'react'
import { type Glyphs, glyphsFor } from '../glyphs.js'
import type { TerminalProfile } from '../terminal/profile.js'
import { type Theme, themeFor } from '../theme.js'

/** How things look on this terminal. */
export interface Look {
  readonly profile: TerminalProfile
  readonly theme: Theme
  readonly glyphs: Glyphs
}

export function lookFor(profile: TerminalProfile): Look {
  return { profile, theme: themeFor(profile), glyphs: glyphsFor(profile) }
}

const LookContext = createContext<Look>(
  lookFor({ colours: false, attributes: false, unicode: false, addressable: true, screenReader: false }),
)

/** Gives the look to everything inside; without it: plain ASCII. */
export const LookProvider = LookContext.Provider

export function useLook(): Look {
  return useContext(LookContext)
}
