import type { RepairCommands } from '../config/profiles.js'

export type RepairCommandName = keyof RepairCommands

/** What is filled into a profile's command. */
export interface CommandPlace {
  readonly broker: number
  /** Null: not known. */
  readonly host: string | null
  readonly logDir: string
}

export type FilledCommand =
  | { readonly kind: 'command'; readonly argv: readonly [program: string, ...args: string[]] }
  /** The profile has none. */
  | { readonly kind: 'none' }
  /** It cannot be filled; one line. */
  | { readonly kind: 'impossible'; readonly reason: string }

/**
 * A command of the profile with its placeholders filled in. It is run without a shell, so nothing in a path is ever interpreted here; a command
 * that hands its arguments to a shell elsewhere (ssh) does, which is why what such a shell would act on is refused.
 */
export function fillCommand(
  commands: RepairCommands | null,
  name: RepairCommandName,
  { broker, host, logDir }: CommandPlace,
): FilledCommand {
  const [program, ...args] = commands?.[name] ?? []
  if (program === undefined) return { kind: 'none' }
  const words = [program, ...args]
  if (host === null && words.some((word) => word.includes('{host}'))) {
    return {
      kind: 'impossible',
      reason: `repair.commands.${name} needs {host}, and the address of broker ${broker} is not known`,
    }
  }
  if (words.some((word) => word.includes('{logDir}')) && !SAFE_PATH.test(logDir)) {
    return {
      kind: 'impossible',
      reason: `repair.commands.${name}: the path of the directory has characters that a remote shell would act on; run it by hand`,
    }
  }
  if (host !== null && !SAFE_HOST.test(host)) {
    return {
      kind: 'impossible',
      reason: `repair.commands.${name}: broker ${broker} advertises no proper host name; run it by hand`,
    }
  }
  const fill = (word: string) =>
    word.replace(/\{(host|broker|logDir)\}/g, (_, key: string) =>
      key === 'host' ? (host ?? '') : key === 'broker' ? String(broker) : logDir,
    )
  return { kind: 'command', argv: [fill(program), ...args.map(fill)] }
}

const SAFE_PATH = /^\/[\w./@:+,=%-]*$/
/** Must not begin with a dash: ssh would take it for an option. */
const SAFE_HOST = /^(?!-)[\w.:-]+$/
