// Loaded into a client process (node --import): at its end it writes what the process used at most, how long it worked, and how many round trips followed
// each other. For the latter every answer is held back (ROUND_MS): else two requests that depend on nothing of each other, one encoded after the other was
// answered, would look like two rounds.
import { writeFileSync } from 'node:fs'

const delayMs = Number(process.env.ROUND_MS ?? 0)
const exchanges = []

// The bundle has a BrokerConnection of its own that nobody can reach: rounds are counted in unbundled-program.mjs. Where none are asked for,
// nothing is loaded, so that what is measured is the program alone.
if (delayMs > 0) {
  const { BrokerConnection } = await import('../../dist/protocol/transport/connection.js')
  const { request } = BrokerConnection.prototype
  BrokerConnection.prototype.request = async function (...args) {
    const sent = performance.now()
    try {
      return await request.apply(this, args)
    } finally {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      exchanges.push({ sent, answered: performance.now() })
    }
  }
}

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const report = { peakMb: maxRSS / 1024, processorSeconds: (userCPUTime + systemCPUTime) / 1e6, rounds: rounds() }
  writeFileSync(process.env.HOOK_FILE, JSON.stringify(report))
})

/** The longest chain of exchanges of which each was sent after the one before was answered. Connecting is not among them. */
function rounds() {
  let count = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  for (const { sent, answered } of exchanges.sort((a, b) => a.answered - b.answered)) {
    if (sent < answeredAt) continue
    count += 1
    answeredAt = answered
  }
  return count
}
