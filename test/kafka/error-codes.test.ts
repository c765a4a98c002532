import { describe, expect, test } from 'vitest'
import { ErrorCode, errorName, isRetriable } from '../../src/protocol/error-codes.js'
import { errorTable } from './harness/error-table.js'
import { kafkaJars } from './harness/jars.js'

// Our table of error codes is Kafka's own: names, numbers, and which of them are worth a retry.

describe('the error table of 4.4.0', async () => {
  const theirs = await errorTable(await kafkaJars('4.4.0'))

  test('has every code of ours and no other, under the same name', () => {
    const ours = Object.entries(ErrorCode).map(([name, code]) => ({ code, name }))
    expect(theirs.length).toBeGreaterThan(130)
    expect(ours).toEqual(theirs.map(({ code, name }) => ({ code, name })))
  })

  test('agrees on which are retriable', () => {
    expect(theirs.filter(({ retriable }) => retriable).map(({ name }) => name)).toEqual(
      theirs.filter(({ code }) => isRetriable(code)).map(({ name }) => name),
    )
  })
})

test('the older 3.9.2 gives no code another meaning', async () => {
  for (const { code, name, retriable } of await errorTable(await kafkaJars('3.9.2'))) {
    expect([code, errorName(code), isRetriable(code)]).toEqual([code, name, retriable])
  }
})

test('a code of the future is named by its number and not retried', () => {
  expect(errorName(30_000)).toBe('UNKNOWN_ERROR_30000')
  expect(isRetriable(30_000)).toBe(false)
})
