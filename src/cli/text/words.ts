import { bytesText as knownBytesText } from '../../text/bytes.js'
import { count, counted } from '../../text/wording.js'

export { counted }

/** `3,1,2`; `-` for none, `?` for not told. */
export function ids(list: readonly number[] | null): string {
  if (list === null) return '?'
  return list.length === 0 ? '-' : list.join(',')
}

/** 1,204,331, or `?`. */
export function numberText(value: number | null): string {
  return value === null ? '?' : count(value)
}

/** As counted, with `no` for 0. */
export function times(number: number, one: string, many = `${one}s`): string {
  return number === 0 ? `no ${many}` : counted(number, one, many)
}

/** 12 GiB, or `?`. */
export function bytesText(bytes: number | null): string {
  return bytes === null ? '?' : knownBytesText(bytes)
}

/** A loss is never a bare number while a replica is unread: `361 + ?`. */
export function lossText(loss: { readonly known: number | null; readonly atLeast: number }): string {
  return loss.known === null ? `${count(loss.atLeast)} + ?` : count(loss.known)
}
