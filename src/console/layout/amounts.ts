export { bytesText } from '../../text/bytes.js'

const WHOLE = new Intl.NumberFormat('en-US')

/** 1,204,331. Offsets, counts. */
export function wholeNumber(value: number): string {
  return WHOLE.format(value)
}

/** A span of time in its two largest units: `0 s`, `59 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. Milliseconds in, rounded down. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = units.findIndex(([amount]) => amount > 0)
  if (first === -1) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/** How long ago, as short as it can be: `now`, `12 s ago`, `3 min ago`, `2 h ago`, `4 d ago`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 1) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

/** 03:07, or 03:07:09 with seconds; local time of the operator. */
export function clockText(time: Date, seconds = false): string {
  const parts = [time.getHours(), time.getMinutes(), ...(seconds ? [time.getSeconds()] : [])]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
