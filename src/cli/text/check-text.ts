import type { ClusterCheck } from '../../recovery/use-cases/check-cluster.js'
import { columns } from './columns.js'
import { ids } from './words.js'

/** What the cluster offers, each permission, and the line that adds what is missing. */
export function checkText({ capabilities, permissions, problems }: ClusterCheck, width: number | null): string[] {
  const missing = permissions.filter(({ granted }) => granted === false)
  return [
    `mode ${capabilities.mode}, ELR ${capabilities.elr ? 'on' : 'off'}, answered by brokers ${ids(capabilities.brokers.map(({ id }) => id))}`,
    `election method: ${capabilities.method ?? 'none by itself (ZooKeeper mode): name one with --election-method'}`,
    '',
    ...columns(
      [{ title: 'PERMISSION' }, { title: 'GRANTED' }, { title: 'NEEDED', mayCut: true }],
      permissions.map(({ name, granted, needed }) => [
        name,
        granted === null ? 'unknown' : granted ? 'yes' : 'NO',
        needed,
      ]),
      width,
    ),
    ...(permissions.some(({ granted }) => granted === null)
      ? [
          'unknown: the brokers told no permissions (no authorizer, or an older one); that is no refusal: all may well work',
        ]
      : []),
    ...(missing.length === 0 ? [] : ['', 'To add what is missing:', ...missing.map(({ fix }) => `  ${fix}`)]),
    ...(problems.length === 0 ? [] : ['', ...new Set(problems.map(({ text }) => `problem: ${text}`))]),
  ]
}
