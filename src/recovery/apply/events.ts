import type { RecoveryPlan } from '../planning/plan.js'
import { runPlan } from './apply-plan.js'
import type { RecoveryEvent, RecoveryReport } from './outcome.js'
import type { ApplyOptions, ApplyPorts, ClusterToRecover } from './ports.js'

/**
 * `runPlan` as a stream of its events, with the report as its return value; rejects as `runPlan` does. The run does not wait for its
 * reader. Where the reader goes away, it stops as by its signal, tidies up, and is waited for.
 */
export async function* applyPlan(
  cluster: ClusterToRecover,
  plan: RecoveryPlan,
  ports: ApplyPorts,
  options: ApplyOptions,
): AsyncGenerator<RecoveryEvent, RecoveryReport> {
  const gone = new AbortController()
  const stop = options.stop === null ? gone.signal : AbortSignal.any([options.stop, gone.signal])
  let told: RecoveryEvent[] = []
  let wake = () => {}
  let over = false
  const report = runPlan(cluster, plan, ports, { ...options, stop }, (event) => {
    told.push(event)
    wake()
  }).finally(() => {
    over = true
    wake()
  })
  // Told where it is awaited; until then it is no unhandled rejection.
  report.catch(() => {})
  try {
    while (!over || told.length > 0) {
      const events = told
      told = []
      yield* events
      if (over || told.length > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return await report
  } finally {
    gone.abort()
    await report.catch(() => {})
  }
}
