import type { Ruler } from '../../../recovery/comparison/comparison.js'

/** The character that a leader epoch is drawn as. */
export interface EpochSigns {
  sign(epoch: number | null): string
  /** "a = epoch 12, b = epoch 13"; null: every sign is its epoch's digit. */
  readonly legend: string | null
}

/** For epochs above 9, in their order; there are seldom more in sight. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const UNKNOWN = '-'
const BEYOND = '#'

export function epochSigns({ rows }: Ruler): EpochSigns {
  const epochs = new Set(rows.flatMap(({ segments }) => (segments ?? []).map(({ epoch }) => epoch)))
  const high = [...epochs].filter((epoch): epoch is number => epoch !== null && epoch > 9).sort((a, b) => a - b)
  const letters = new Map(high.map((epoch, index) => [epoch, LETTERS[index] ?? BEYOND]))
  const told = high.slice(0, LETTERS.length).map((epoch) => `${letters.get(epoch)} = epoch ${epoch}`)
  if (high.length > LETTERS.length) told.push(`${BEYOND} = a later one`)
  if (epochs.has(null)) told.push(`${UNKNOWN} = epoch unknown`)
  return {
    sign: (epoch) => (epoch === null ? UNKNOWN : (letters.get(epoch) ?? String(epoch))),
    legend: told.length === 0 ? null : told.join(', '),
  }
}
