import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyDecoder } from '../../../src/console/keys/decode.js'
import type { InputEvent } from '../../../src/console/keys/key-event.js'

// Proves what the bytes of terminals mean, however they are cut into reads.

function keys(...chunks: string[]): string[] {
  const decoder = createKeyDecoder()
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)))
  return [...events, ...decoder.flush()].map(shown)
}

const shown = (event: InputEvent) => (event.type === 'paste' ? `paste:${event.text}` : event.key)

const KNOWN: readonly (readonly [string, string])[] = [
  ['j', 'j'],
  ['G', 'G'],
  [' ', 'space'],
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\x1b[Z', 'shift+tab'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
  ['\x1b[3~', 'delete'],
  ['\x03', 'ctrl+c'],
  ['\x1a', 'ctrl+z'],
  ['\x00', 'ctrl+space'],
  ['\x1b[A', 'up'],
  ['\x1bOA', 'up'],
  ['\x1b[1;2B', 'shift+down'],
  ['\x1b[b', 'shift+down'],
  ['\x1b[1;5C', 'ctrl+right'],
  ['\x1bOc', 'ctrl+right'],
  ['\x1b[1;3D', 'alt+left'],
  ['\x1b\x1b[D', 'alt+left'],
  ['\x1b[H', 'home'],
  ['\x1b[1~', 'home'],
  ['\x1b[7~', 'home'],
  ['\x1bOF', 'end'],
  ['\x1b[4~', 'end'],
  ['\x1b[5~', 'pageup'],
  ['\x1b[6;2~', 'shift+pagedown'],
  ['\x1b[6$', 'shift+pagedown'],
  ['\x1b[5^', 'ctrl+pageup'],
  ['\x1bOP', 'f1'],
  ['\x1b[11~', 'f1'],
  ['\x1b[[A', 'f1'],
  ['\x1b[24~', 'f12'],
  ['\x1bx', 'alt+x'],
  ['\x1b\x7f', 'alt+backspace'],
  ['\x1b\r', 'alt+enter'],
  ['\x1b[27;5;114~', 'ctrl+r'],
  ['\x1b[114;5u', 'ctrl+r'],
  ['\x1b[13u', 'enter'],
  ['\x1b[27u', 'esc'],
  ['é', 'é'],
  ['漢', '漢'],
  ['e\u0301', 'e\u0301'],
]

describe('keys', () => {
  it.each(KNOWN)('%j is %s', (bytes, key) => {
    expect(keys(bytes)).toEqual([key])
  })

  it('a lone escape is a key once nothing follows', () => {
    const decoder = createKeyDecoder()
    expect(decoder.push(Buffer.from('\x1b'))).toEqual([])
    expect(decoder.pending).toBe(true)
    expect(decoder.flush().map(shown)).toEqual(['esc'])
    expect(decoder.pending).toBe(false)
  })

  it('alt with enter takes the return alone, not a line feed behind it', () => {
    expect(keys('\x1b\r\nj')).toEqual(['alt+enter', 'enter', 'j'])
  })

  it('only printable characters type something', () => {
    const texts = createKeyDecoder()
      .push(Buffer.from('a \r\x1b[A'))
      .map((event) => (event.type === 'key' ? event.text : null))
    expect(texts).toEqual(['a', ' ', '', ''])
  })

  it.each([
    '\x1b[<0;3;4M',
    '\x1b[I',
    '\x1b[?62;c',
    '\x1b[12;5R',
    '\x1b]11;rgb:0000/0000/0000\x1b\\',
    '\x1b]0;title\x07',
    '\x1b[57441;2u',
    '\x1b[97;1:3u',
  ])('%j is no key, and nothing of it is', (bytes) => {
    expect(keys(`${bytes}j`)).toEqual(['j'])
  })

  it('sequences and characters may be cut anywhere', () => {
    const stream = fc.array(fc.constantFrom(...KNOWN.filter(([, key]) => key !== 'e\u0301')), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(stream, fc.array(fc.nat(60), { maxLength: 8 }), (list, cuts) => {
        const bytes = Buffer.from(list.map(([text]) => text).join(''))
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
        const decoder = createKeyDecoder()
        const events: InputEvent[] = []
        let from = 0
        for (const place of [...places, bytes.length]) {
          events.push(...decoder.push(bytes.subarray(from, place)))
          from = place
        }
        expect(events.map(shown)).toEqual(list.map(([, key]) => key))
      }),
    )
  })

  it('any bytes at all: no failure, and nothing is left that eats the next keys', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const decoder = createKeyDecoder()
        decoder.push(Buffer.from(bytes))
        decoder.flush()
        if (Buffer.from(bytes).includes('\x1b[200~')) return
        expect(decoder.push(Buffer.from('~~~jk')).map(shown).slice(-1)).toEqual(['k'])
      }),
    )
  })
})

describe('paste', () => {
  it('is one event, whatever is in it and however it is cut', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => !one.includes('\x1b'))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (inside, size) => {
        const bytes = Buffer.from(`k\x1b[200~${inside}\x1b[201~j`)
        const decoder = createKeyDecoder()
        const events: InputEvent[] = []
        for (let from = 0; from < bytes.length; from += size)
          events.push(...decoder.push(bytes.subarray(from, from + size)))
        expect(events.map(({ type }) => type)).toEqual(['key', 'paste', 'key'])
      }),
    )
  })

  it('keys inside are text', () => {
    expect(keys('\x1b[200~jq\r\x1b[A\x03\x1b[201~')).toEqual(['paste:jq\n\x1b[A\x03'])
  })

  it('a huge one is cut, and does not reach the keys', () => {
    const events = createKeyDecoder().push(Buffer.from(`\x1b[200~${'x'.repeat(1_000_000)}\x1b[201~j`))
    expect(events).toHaveLength(2)
    expect(events[0]?.type === 'paste' && events[0].text.length).toBe(65_536)
  })

  it('whose end was lost can be left by ctrl-c, but only after a while', () => {
    let now = 0
    const decoder = createKeyDecoder(() => now)
    decoder.push(Buffer.from('\x1b[200~abc'))
    now += 500
    expect(decoder.push(Buffer.from('\x03'))).toEqual([])
    now += 2000
    expect(decoder.push(Buffer.from('\x03')).map(shown)).toEqual(['ctrl+c'])
    expect(decoder.push(Buffer.from('j')).map(shown)).toEqual(['j'])
  })
})
