import { type PreviewedRequest, previewRequests } from '../recovery/apply/requests-preview.js'
import type { RecoveryPlan } from '../recovery/planning/plan.js'
import type { Connected } from './connected.js'

/** Every writing request that carrying this plan out would send, to whom and in which version; finding that out sends none. */
export async function requestsFor(
  { cluster, requestTimeoutMs }: Pick<Connected, 'cluster' | 'requestTimeoutMs'>,
  plan: RecoveryPlan,
): Promise<PreviewedRequest[]> {
  if (plan.partitions.length === 0) return []
  const { broker, address, forwards, alterVersion, electVersion } = await cluster.writingTarget()
  const who = broker === null ? address : `broker ${broker} (${address})`
  const to = forwards ? `${who}, which forwards to the controller` : who
  return previewRequests(plan, { to, alterVersion, electVersion }, { timeoutMs: requestTimeoutMs })
}
