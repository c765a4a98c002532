import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from './harness/screen-program.js'

// Proves of the harness itself: what a program wrote last is seen, however late it is read. Else tests that look at its last lines fail on a busy machine.

test('the last lines of a program that has ended long before they are read', async () => {
  const program = startProgram(process.execPath, [
    '-e',
    "process.stdout.write('x'.repeat(2000) + '\\nthe last line\\n')",
  ])
  onTestFinished(() => program.dispose())
  program.stall(true)
  const { pid } = program
  await untilEnded(pid)
  // Longer than the 200 ms after which node-pty closes it: this is no wait for something, it is the lateness itself.
  await new Promise((resolve) => setTimeout(resolve, 600))
  program.stall(false)
  await program.waitFor('the last line')
})

async function untilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('keys for a program that has ended are lost, as in a terminal, and its end is told at once', async () => {
  const program = startProgram(process.execPath, ['-e', ''])
  onTestFinished(() => program.dispose())
  let told = false
  void program.exited.then(() => {
    told = true
  })
  // In every moment of its ending.
  while (!told) {
    program.send('x')
    await new Promise((resolve) => setImmediate(resolve))
  }
  program.paste('x')
  expect(await program.exited).toEqual({ code: 0, signal: 0 })
})
