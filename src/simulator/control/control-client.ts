import { connect } from 'node:net'
import { type ControlAnswer, controlAnswer, MAX_LINE_BYTES } from './control-protocol.js'

/** Nobody listens there, or what listens is no simulator's control port. */
export class ControlUnreachableError extends Error {
  override readonly name = 'ControlUnreachableError'
}

/** A simulator answers at once; a restart of a broker takes some ms. */
const DEADLINE_MS = 30_000

/**
 * Tells a running simulator what shall happen, and waits until it has.
 * @throws ControlUnreachableError with one line
 */
export function sendControl(
  { host, port }: { readonly host: string; readonly port: number },
  words: readonly string[],
): Promise<ControlAnswer> {
  const at = `${host}:${port}`
  return new Promise((resolve, reject) => {
    let answer = ''
    const fail = (why: string): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(new ControlUnreachableError(`control port ${at}: ${why}; simulate prints it when it starts`))
    }
    const timer = setTimeout(() => fail(`no answer within ${DEADLINE_MS / 1000} s`), DEADLINE_MS)
    const socket = connect(port, host, () => socket.write(`${JSON.stringify(words)}\n`))
    socket.setEncoding('utf8')
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('closed without an answer'))
    socket.on('data', (chunk: string) => {
      answer += chunk
      const end = answer.indexOf('\n')
      if (end < 0) {
        if (answer.length > MAX_LINE_BYTES) fail('what answers is no simulator')
        return
      }
      const parsed = parse(answer.slice(0, end))
      if (parsed === null) {
        fail('what answers is no simulator')
        return
      }
      clearTimeout(timer)
      socket.removeAllListeners('close').destroy()
      resolve(parsed)
    })
  })
}

function parse(line: string): ControlAnswer | null {
  try {
    const parsed = controlAnswer.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
