const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/**
 * 512 B, 1.5 KiB, 12 GiB, 0.97 TiB: binary units, never more than three digits before the unit (of 1000 on it is the next one), so that two sizes side by
 * side are read in the same unit. Rounded down: free room is never told larger than it is.
 */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1024 : 1000)) {
    value /= 1024
    unit += 1
  }
  return `${numberText(value, unit)} ${UNITS[unit]}`
}

function numberText(value: number, unit: number): string {
  if (unit === 0 || value >= 10) return Math.floor(value).toLocaleString('en-US')
  const decimals = value < 1 ? 2 : 1
  return (Math.floor(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals)
}
