import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A secret that was planted, and every form in which it could come out: a search for the plain text alone would miss most. */
export interface Canary {
  readonly name: string
  readonly forms: readonly string[]
}

export function canary(name: string, secret: string): Canary {
  const bytes = Buffer.from(secret, 'utf8')
  const forms = new Set([
    secret,
    // JSON, and Java properties beyond ASCII.
    JSON.stringify(secret).slice(1, -1),
    [...secret].map((one) => (one > '~' ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one)).join(''),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    bytes.toString('hex'),
    // As node shows a buffer.
    [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
    ...base64Forms(bytes),
  ])
  return { name, forms: [...forms] }
}

/** Inside of a longer text it may begin at any of three places of a base64 group: the middle is the same each time. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const middle = text.slice(before === 0 ? 0 : 4, -2)
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** `what: name of the canary`, for each that is in it. */
export function found(what: string, text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ name, forms }) =>
    forms.flatMap((form) => (text.includes(form) ? [`${what} holds ${name} as ${form.slice(0, 12)}...`] : [])),
  )
}

/** Every file below a folder, with its mode. */
export function filesBelow(folder: string): { path: string; mode: number; folder: boolean; text: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    const mode = statSync(path).mode & 0o777
    if (entry.isDirectory()) return [{ path, mode, folder: true, text: '' }, ...filesBelow(path)]
    return [{ path, mode, folder: false, text: readFileSync(path, 'latin1') }]
  })
}
