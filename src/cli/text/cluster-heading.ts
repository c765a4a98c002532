import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import { counted } from './words.js'

/** What every text about a cluster begins with: which one it is, whether it is real, who is up, when it was read. */
export function clusterHeading(snapshot: ClusterSnapshot, name: string | null, readOnly: boolean): string {
  const states = (['up', 'fenced', 'down'] as const).flatMap((state) => {
    const brokers = snapshot.brokers.filter((broker) => broker.state === state)
    if (brokers.length === 0) return []
    return state === 'up'
      ? `${brokers.length} up`
      : `${brokers.length} ${state.toUpperCase()} (${brokers.map(({ id }) => id).join(' ')})`
  })
  return [
    ...(name === null ? [] : [name]),
    snapshot.clusterId,
    ...(snapshot.simulated ? ['SIMULATED'] : []),
    ...(readOnly ? ['READ-ONLY'] : []),
    `${counted(snapshot.brokers.length, 'broker')}: ${states.join(', ')}`,
    snapshot.controller === null ? 'NO CONTROLLER' : `controller ${snapshot.controller}`,
    `read ${snapshot.readAt.toISOString()}`,
  ].join('  ')
}
