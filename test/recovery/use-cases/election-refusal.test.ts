import { expect, it } from 'vitest'
import type { ReadProblem } from '../../../src/cluster/snapshot.js'
import { electionRefusal } from '../../../src/recovery/use-cases/election-refusal.js'

// What forbids every election of a cluster, and what does not. With real brokers: test/kafka/permissions.

const problem = (code: ReadProblem['code']): ReadProblem => ({ code, broker: null, text: `a ${code}` })
const all = { method: 'reorder', mayElect: true } as const
const asked = { readOnly: false, method: 'auto' } as const

it.each([
  ['nothing', [], all, asked, null],
  ['rights that were not told', [], { ...all, mayElect: null }, asked, null],
  ['problems of reading', [problem('permission'), problem('hiddenTopics'), problem('brokerDown')], all, asked, null],
  ['a right that is missing', [], { ...all, mayElect: false }, asked, 'notAllowed'],
  ['reading alone', [], { ...all, mayElect: false }, { ...asked, readOnly: true }, 'readOnly'],
  ['ZooKeeper mode', [], { ...all, method: null }, asked, 'methodNotNamed'],
  ['ZooKeeper mode, the method named', [], { ...all, method: null }, { ...asked, method: 'reorder' }, null],
  ['no quorum', [problem('noQuorum')], all, asked, 'noQuorum'],
] as const)('%s', (_name, problems, capabilities, options, reason) => {
  const refusal = electionRefusal({ problems }, capabilities, options)
  expect(refusal?.reason ?? null).toBe(reason)
  expect(refusal?.text ?? '').not.toContain('\n')
})
