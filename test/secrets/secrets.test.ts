import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { found } from './canaries.js'
import { CANARIES, plainLogin, planted, SECRETS } from './planted.js'

// A small share of secrets.long.test.ts: a login that works, one that fails, one that cannot be read.

test('a login that works, one that is refused, and one that cannot be read: the password comes out nowhere', async () => {
  const cluster = await planted({ mechanism: 'PLAIN', accepts: (login) => login === `\0operator\0${SECRETS.plain}` })
  const right = await cluster.connection('right', plainLogin(SECRETS.plain))
  const wrong = await cluster.connection('wrong', plainLogin(SECRETS.wrong))
  const unfinished = plainLogin(SECRETS.plain).map((line) => line.replace(/";$/, '" more'))
  const broken = await cluster.connection('broken', unfinished)
  expect((await cluster.run('kafka-recovery', ['status', '--verbose', ...right])).exit).toBe(0)
  const plan = cluster.path('work/plan.json')
  expect((await cluster.run('kafka-recovery', ['plan', 'orders-0', '--output', plan, ...right])).exit).toBe(0)
  expect((await cluster.run('kafka-recovery', ['elect', '--plan', plan, '--yes', ...right])).exit).toBe(0)
  const refused = await cluster.run('kafka-recovery', ['status', '--verbose', ...wrong])
  expect(refused.exit, refused.stderr).toBe(3)
  expect((await cluster.run('kafka-recovery', ['status', ...broken])).exit).toBe(2)
  // They were really used.
  expect(cluster.fronts.flatMap(({ logins }) => logins).join()).toContain(SECRETS.plain)
  expect(cluster.fronts.flatMap(({ logins }) => logins).join()).toContain(SECRETS.wrong)
  expect(cluster.leaks()).toEqual([])
}, 60_000)

test('the search finds a secret in each of its forms, and a file that others may read', async () => {
  const login = `\0operator\0${SECRETS.plain}`
  for (const text of [
    SECRETS.plain,
    JSON.stringify({ password: SECRETS.plain }),
    encodeURIComponent(SECRETS.plain),
    Buffer.from(login).toString('base64'),
    Buffer.from(`x${login}`).toString('base64url'),
    Buffer.from(`xy${login}`).toString('base64'),
    Buffer.from(login).toString('hex'),
  ]) {
    expect(found('it', text, CANARIES)).not.toEqual([])
  }
  const cluster = await planted({ mechanism: null, accepts: () => true })
  mkdirSync(cluster.path('home'), { mode: 0o755 })
  writeFileSync(cluster.path('home/x'), SECRETS.token, { mode: 0o644 })
  expect(cluster.leaks()).toEqual([
    expect.stringMatching(/home\/x holds token/),
    expect.stringMatching(/home\/x has mode 644/),
  ])
})
