import type { ConsoleData } from '../console-data.js'
import { clockText } from '../layout/amounts.js'

/** How long the header tells of a directory that failed while this console is open, and of one that is there again. ms */
const FAILED_SHOWN_MS = 120_000
const RETURNED_SHOWN_MS = 60_000

/** What happened to log directories lately, the newest first, one line each; only the last event of each counts. */
export function dirNotices({ notices, now }: Pick<ConsoleData, 'notices' | 'now'>): string[] {
  const told = new Set<string>()
  const lines: string[] = []
  for (let index = notices.length - 1; index >= 0; index -= 1) {
    const notice = notices[index]
    if (notice === undefined || now.getTime() - notice.at.getTime() > FAILED_SHOWN_MS) break
    if (notice.kind !== 'logDir') continue
    const { broker, path, at } = notice
    if (told.has(`${broker} ${path}`)) continue
    told.add(`${broker} ${path}`)
    if (notice.now === 'failed') {
      lines.push(
        `${clockText(at, true)} Log directory ${path} of broker ${broker} FAILED: [2] leads through its repair`,
      )
    } else if (now.getTime() - at.getTime() <= RETURNED_SHOWN_MS) {
      lines.push(
        `${clockText(at, true)} Log directory ${path} of broker ${broker} is there again: [2] shows its way back`,
      )
    }
  }
  return lines
}
