import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EndSignal, listenForSignals } from '../../../src/console/terminal/process-events.js'

// Proves: ctrl-c and ctrl-\ in another program that has the terminal never end the console, also where their signals are heard after that program's end; all other ends are.

const told: EndSignal[] = []
let listener: ReturnType<typeof listenForSignals>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  told.length = 0
  listener = listenForSignals({ onEnd: (signal) => told.push(signal), onStop: () => {}, onContinue: () => {} })
  listener.start()
})
afterEach(async () => {
  vi.useRealTimers()
  listener.end()
  await new Promise((resolve) => setImmediate(resolve))
})

/** As if it had been sent to this process: the listeners alone are called. */
const heard = (signal: EndSignal) => process.emit(signal, signal)

test('while the other program has the terminal, and right after its end', () => {
  listener.pause()
  heard('SIGINT')
  heard('SIGQUIT')
  listener.resume()
  heard('SIGQUIT')
  vi.advanceTimersByTime(400)
  heard('SIGINT')
  expect(told).toEqual([])
  heard('SIGTERM')
  expect(told).toEqual(['SIGTERM'])
})

test('sent by hand, they end it: before any other program, and later', () => {
  heard('SIGINT')
  listener.pause()
  listener.resume()
  vi.advanceTimersByTime(600)
  heard('SIGQUIT')
  expect(told).toEqual(['SIGINT', 'SIGQUIT'])
})
