import { expect, test } from 'vitest'
import { Profiles } from '../../src/config/profiles.js'
import { temporaryFolder } from './command-configs.js'

// What a signal does is for whoever started the program to say. conf brings a module that listens to every signal there is.

const listeners = () =>
  new Map(
    process.eventNames().flatMap((name) => (/^SIG/.test(String(name)) ? [[name, process.rawListeners(name)]] : [])),
  )

test('saving and reading profiles adds no listener to any signal, and takes away none', async () => {
  const ours = () => {}
  const once = () => {}
  process.on('SIGINT', ours)
  process.once('SIGTERM', once)
  try {
    const before = listeners()
    const folder = temporaryFolder()
    await new Profiles(folder).add({ name: 'a', bootstrapServers: 'h:1' })
    expect(await new Profiles(folder).get('a')).toMatchObject({ bootstrapServers: 'h:1' })
    expect(listeners()).toEqual(before)
    expect(process.listeners('SIGINT')).toContain(ours)
    expect(process.listeners('SIGTERM')).toContain(once)
  } finally {
    process.off('SIGINT', ours)
    process.off('SIGTERM', once)
  }
})
