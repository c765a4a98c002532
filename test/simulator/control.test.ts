import { connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { CONTROL_ACTIONS } from '../../src/simulator/control/control-actions.js'
import { sendControl } from '../../src/simulator/control/control-client.js'
import { type ControlServer, startControl } from '../../src/simulator/control/control-server.js'
import { ControlWordsError, eventOfWords } from '../../src/simulator/control/control-words.js'
import { log, scenarioOf, start } from './client.js'

// A running simulator is told from outside what shall happen: what is asked happens, what cannot be is one line, and nothing
// that comes in over the port ends it.

const cluster = scenarioOf({
  topics: [
    {
      name: 'foo',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 3,
          isr: [1, 2],
          logs: { 1: log(0, 100, [[0, 0]], { logDir: '/data/b' }), 2: log(0, 100, [[0, 0]]) },
        },
      ],
    },
  ],
})

const servers: ControlServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function controlled() {
  const simulator = await start(cluster)
  const server = await startControl(simulator, 0)
  servers.push(server)
  const port = Number(server.address.split(':')[1])
  return {
    simulator,
    port,
    tell: (...words: readonly string[]) => sendControl({ host: '127.0.0.1', port }, words),
    foo: () => simulator.inspect().partition('foo', 0)!,
  }
}

describe('words', () => {
  test('every action makes the event of a scenario file that it stands for', () => {
    const examples = {
      'fail-dir': [['1', '/data/a'], { failLogDir: { broker: 1, path: '/data/a' } }],
      'replace-dir': [['1', '/data/a'], { replaceLogDir: { broker: 1, path: '/data/a' } }],
      'remove-dir': [['1', '/data/a'], { removeLogDir: { broker: 1, path: '/data/a' } }],
      'stop-broker': [['2'], { brokerDown: 2 }],
      'kill-broker': [['2'], { brokerDown: { broker: 2, kill: true } }],
      'start-broker': [['2'], { brokerUp: 2 }],
      'fence-broker': [['2'], { brokerFenced: 2 }],
      append: [['foo', '0', '5'], { appendRecords: { topic: 'foo', partition: 0, records: 5 } }],
      event: [['{"controllerDown":true}'], { controllerDown: true }],
    } as const
    for (const { name } of CONTROL_ACTIONS) {
      const [values, event] = examples[name]
      expect(eventOfWords([name, ...values])).toEqual(event)
    }
  })

  test('whatever the words, they make an event or a mistake of one line', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('1', '/data/a', 'toString', '{"brokerUp":[]}', '{"no":1}', '[]'))
    const name = fc.oneof(word, fc.constantFrom(...CONTROL_ACTIONS.map((one) => one.name)))
    fc.assert(
      fc.property(name, fc.array(word, { maxLength: 4 }), (first, rest) => {
        try {
          expect(Object.keys(eventOfWords([first, ...rest])).length).toBeLessThanOrEqual(1)
        } catch (error) {
          expect(error).toBeInstanceOf(ControlWordsError)
          expect((error as Error).message).not.toContain('\n')
        }
      }),
    )
  })
})

describe('over the port', () => {
  test('a directory fails, is replaced, and is taken out of log.dirs, and each has happened when it is answered', async () => {
    const { simulator, tell, foo } = await controlled()
    expect(await tell('fail-dir', '1', '/data/b')).toEqual({ done: true })
    expect(foo()).toMatchObject({ leader: 2, isr: [2] })
    expect(await tell('stop-broker', '1')).toEqual({ done: true })
    expect(await tell('replace-dir', '1', '/data/b')).toEqual({ done: true })
    expect(simulator.inspect().brokers.get(1)).toBe('down')
    expect(foo().logs.get(1)).toMatchObject({ logDir: '/data/b', logEndOffset: 0 })
    expect(await tell('start-broker', '1')).toEqual({ done: true })
    expect(foo().logs.get(1)).toMatchObject({ logEndOffset: 100 })
    expect(await tell('append', 'foo', '0', '7')).toEqual({ done: true })
    expect(await tell('remove-dir', '1', '/data/b')).toEqual({ done: true })
    expect(foo().logs.get(1)).toMatchObject({ logDir: '/data/a', logEndOffset: 107 })
    expect(await tell('kill-broker', '2')).toEqual({ done: true })
    expect(foo()).toMatchObject({ leader: 1 })
  })

  test('what cannot be is told, and nothing happens', async () => {
    const { tell, foo } = await controlled()
    const before = structuredClone(foo())
    expect(await tell('fail-dir', '1', '/nowhere')).toEqual({
      error: 'event.failLogDir.path: broker 1 has no log directory /nowhere',
    })
    expect(await tell('start-broker', '9')).toEqual({ error: 'event.brokerUp: there is no broker 9' })
    expect(await tell('event', '{}')).toEqual({ error: expect.stringContaining('needs exactly one of') })
    expect(await tell('no-such-action')).toEqual({ error: expect.stringContaining('is no action') })
    expect(foo()).toEqual(before)
  })

  test('garbage, endless lines and clients that leave do not end it; requests on one connection are answered in order', async () => {
    const { port, tell, foo } = await controlled()
    const answers = await talk(port, 'no json\n\n{}\n["stop-broker","1"]\n["start-broker","1"]\n', 4)
    expect(answers.map((one) => ('done' in one ? 'done' : 'error'))).toEqual(['error', 'error', 'done', 'done'])
    expect(await talk(port, 'x'.repeat(200_000), 1)).toEqual([{ error: expect.stringContaining('longer than') }])
    const gone = connect(port, '127.0.0.1', () => gone.end('["append","foo","0","3"]\n'))
    await expect.poll(() => foo().logs.get(2)?.logEndOffset).toBe(103)
    expect(await tell('append', 'foo', '0', '1')).toEqual({ done: true })
  })
})

/** Sends this text as it is, and waits for so many answers. */
function talk(port: number, text: string, answers: number): Promise<readonly Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      got += chunk
      const lines = got.split('\n').filter((line) => line !== '')
      if (!got.endsWith('\n') || lines.length < answers) return
      socket.destroy()
      resolve(lines.map((line) => JSON.parse(line)))
    })
  })
}
