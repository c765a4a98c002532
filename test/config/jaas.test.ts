import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJaasConfig } from '../../src/config/jaas.js'

interface Measured {
  readonly text: string
  readonly refused?: true
  readonly loginModule?: string
  readonly options?: Record<string, string>
}

const measured = JSON.parse(readFileSync(new URL('./fixtures/jaas-4.4.0.json', import.meta.url), 'utf8')) as Measured[]

function revealed(text: string): Measured {
  const result = parseJaasConfig(text)
  if (!result.ok) return { text, refused: true }
  const options = Object.fromEntries([...result.entry.options].map(([key, value]) => [key, value.reveal()]))
  return { text, loginModule: result.entry.loginModule, options }
}

describe('sasl.jaas.config', () => {
  test('is read, and refused, as Kafka 4.4.0 does (measured)', () => {
    expect(measured.filter(({ refused }) => refused).length).toBeGreaterThan(150)
    expect(measured.filter(({ refused }) => !refused).length).toBeGreaterThan(300)
    for (const one of measured) expect(revealed(one.text)).toEqual(one)
  })

  test('gives back any password that was quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (password) => {
        // Octal is what StreamTokenizer has for line ends, which would close the quotes.
        const quoted = password.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
        expect(revealed(`a.B required password="${quoted}";`).options).toEqual({ password })
      }),
    )
  })

  test('never repeats any of the text in an error', () => {
    for (const { text, refused } of measured) {
      if (!refused) continue
      const result = parseJaasConfig(text.replaceAll('a.B', 'geheim'))
      expect(result.ok ? '' : result.cause).not.toContain('geheim')
    }
  })

  test('says what helps: quote the value, or double the backslash', () => {
    expect(parseJaasConfig('a.B required username=ops password=p@ss;')).toMatchObject({
      cause: expect.stringContaining('quote the value'),
    })
    expect(parseJaasConfig('a.B required username="ops" password="a"b";')).toMatchObject({
      cause: expect.stringContaining('\\\\"'),
    })
  })

  test('keeps values hidden however the result is printed', () => {
    expect(
      JSON.stringify([
        ...(parseJaasConfig('a.B required p="geheim";') as never as { entry: { options: Map<string, unknown> } }).entry
          .options,
      ]),
    ).toBe('[["p","[hidden]"]]')
  })
})
