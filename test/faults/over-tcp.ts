import type { BadNight } from './bad-night.js'
import { expectPromisesKept } from './promises.js'
import { runNight, type World } from './run-night.js'

/** Real sockets, real time: short deadlines, and room for a machine that has other work. */
const TCP_WORLD: World = {
  requestTimeoutMs: 250,
  visibleWithinMs: 400,
  logDurationMs: 300,
  responseDelayMs: 1,
  slackMs: 15_000,
  cut: null,
}

/** As many nights over real TCP, so many at once: they wait more than they work. @throws with the number of the night that failed */
export async function spendNightsOverTcp(nights: readonly BadNight[], atOnce: number): Promise<void> {
  const waiting = nights.map((night, number) => ({ night, number }))
  const failures: string[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        // Few retries: their pauses are real here.
        const night = { ...next.night, attempts: Math.min(1, next.night.attempts) }
        expectPromisesKept(await runNight(night, TCP_WORLD), TCP_WORLD)
      } catch (error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        failures.push(`night ${next.number}: ${text}\n${JSON.stringify(next.night)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (failures.length > 0) throw new Error(`${failures.length} of ${nights.length} nights:\n${failures.join('\n\n')}`)
}
