import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { cutPointsOf } from './run-program.js'
import { surviveCut, undisturbed } from './survive.js'

// Proves, with the real program and SIGKILL: some steps of an election run, drawn by a seed. All of them are in kill.long.test.ts.

const folder = ownFolder()
const PARTITIONS = 60
const SHARE = Number(process.env.CUTS ?? 2)

test('killed at some steps of an election run: said, refused, restored, finished', async () => {
  const plan = folder.path('plan.json')
  const points = cutPointsOf(await undisturbed(PARTITIONS, plan))
  expect(points.length).toBeGreaterThan(40)
  for (const point of fc.sample(fc.shuffledSubarray(points, { minLength: SHARE, maxLength: SHARE }), 1)[0] ?? []) {
    await surviveCut(PARTITIONS, plan, point)
  }
}, 240_000)
