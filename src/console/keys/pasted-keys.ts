import type { InputEvent } from './key-event.js'

/** Keys of one read; a key held down while a line hangs for some seconds stays below. */
const TYPED_AT_ONCE = 256
/** Characters that are kept of it, as of any paste. */
const MAX_PASTE = 65_536
/** The last one of these still counts: the way out must not be lost in it. */
const WAYS_OUT = new Set(['ctrl+c', 'esc'])

/**
 * More keys at once than anybody types are a paste by a terminal that does not mark pastes (bracketed paste off, or its beginning lost): as keys each of
 * them would be acted on, and a megabyte of them would keep the console busy for minutes (measured).
 */
export function pastedKeys(events: readonly InputEvent[]): readonly InputEvent[] {
  if (events.length <= TYPED_AT_ONCE) return events
  let text = ''
  for (const event of events) {
    if (text.length >= MAX_PASTE) break
    text += event.type === 'paste' || event.text !== '' ? event.text : event.key === 'enter' ? '\n' : ''
  }
  const last = events.at(-1)
  const out = last?.type === 'key' && WAYS_OUT.has(last.key) ? [last] : []
  return [{ type: 'paste', text: text.slice(0, MAX_PASTE) }, ...out]
}
