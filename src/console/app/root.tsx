import { Box } from 'ink'
import { type ReactElement, useInsertionEffect, useSyncExternalStore } from 'react'
import { Lines } from '../components/lines.js'
import { type Look, LookProvider } from '../components/look.js'
import { Panel } from '../components/panel.js'
import type { Store } from '../state/store.js'
import type { Size } from '../terminal/terminal.js'
import type { Layout } from './layout.js'

/** Below this nothing useful fits. */
export const SMALLEST: Size = { columns: 60, rows: 20 }

/** The whole of what is on the screen: header, body, bottom, or one line that says why nothing is. */
export function Root<State extends { readonly size: Size }>(props: {
  readonly store: Store<State>
  readonly look: Look
  readonly layout: (state: State) => Layout
  /** Called before the frame goes out, with the question that is on it. */
  readonly onRendered: (questionId: number | null) => void
}): ReactElement {
  const { store, look, layout, onRendered } = props
  const state = useSyncExternalStore(store.subscribe, store.get)
  const { columns, rows } = state.size
  const tooSmall = look.profile.addressable && (columns < SMALLEST.columns || rows < SMALLEST.rows)
  const parts = tooSmall ? null : layout(state)
  // Insertion effects run before Ink writes the frame: whoever takes the frame knows already what is in it.
  useInsertionEffect(() => onRendered(parts?.questionId ?? null))
  if (parts === null) {
    const line = `Too small: ${columns}x${rows}, needs ${SMALLEST.columns}x${SMALLEST.rows}. Nothing is lost.`
    return (
      <LookProvider value={look}>
        <Lines lines={[line]} width={columns} />
      </LookProvider>
    )
  }
  const { header, body, bodySize, bottom, help } = parts
  return (
    <LookProvider value={look}>
      <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
        <Lines lines={header} width={columns} />
        <Box flexDirection="column" width={columns} height={bodySize.rows} overflow="hidden" flexShrink={0}>
          {help === null ? (
            body
          ) : (
            <Panel title="help" lines={help.lines} top={help.top} width={columns} height={bodySize.rows} />
          )}
        </Box>
        <Lines lines={bottom} width={columns} />
      </Box>
    </LookProvider>
  )
}
