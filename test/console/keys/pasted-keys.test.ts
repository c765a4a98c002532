import { describe, expect, it } from 'vitest'
import { createKeyDecoder } from '../../../src/console/keys/decode.js'
import { pastedKeys } from '../../../src/console/keys/pasted-keys.js'

// Proves: what comes faster than anybody types is a paste, whether the terminal marks it or not, so none of it is a key or a confirmation.

const read = (text: string) => pastedKeys(createKeyDecoder().push(Buffer.from(text)))

describe('keys of one read', () => {
  it('are keys, as many as a held key gives while a line hangs', () => {
    const events = read('j'.repeat(200))
    expect(events).toHaveLength(200)
    expect(events.every(({ type }) => type === 'key')).toBe(true)
  })

  it('are a paste where there are more: its text, with line ends', () => {
    const text = 'elect 13 prod-eu\r'.repeat(100)
    expect(read(text)).toEqual([{ type: 'paste', text: text.replaceAll('\r', '\n') }])
  })

  it('are a paste with whatever is among them, and what is kept of it is bounded', () => {
    const [paste, ...more] = read(`\x1b[A\x1b[200~x\x1b[201~${'y'.repeat(200_000)}`)
    expect(paste).toEqual({ type: 'paste', text: `x${'y'.repeat(65_535)}` })
    expect(more).toEqual([])
  })

  it('lead out all the same, where that came last', () => {
    expect(read(`${'x'.repeat(1000)}\x03`).at(-1)).toEqual({ type: 'key', key: 'ctrl+c', text: '' })
  })
})
