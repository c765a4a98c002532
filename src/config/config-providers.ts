import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, normalize, resolve, sep } from 'node:path'
import { ConfigError, fileFailure } from './config-error.js'
import { type JavaProperties, javaTrim, type PropertyEntry, readJavaProperties } from './java-properties.js'
import { printable } from './printable.js'

/** As Kafka's ConfigTransformer finds them: `${provider:key}` and `${provider:path:key}`. */
const PLACEHOLDER = /\$\{([^}]*?):(?:([^}]*?):)?([^}]*?)\}/g
const PROVIDER_PACKAGE = 'org.apache.kafka.common.config.provider.'
const SUPPORTED = 'supported: FileConfigProvider, DirectoryConfigProvider, EnvVarConfigProvider'

/** What providers read besides files: handed in, so that tests need no real environment. */
export interface ProviderEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here, as in Java. */
  readonly workingDirectory: string
}

export interface ResolvedProperties {
  readonly entries: ReadonlyMap<string, PropertyEntry>
  /** Keys whose value came from a provider, at least in part: never shown. */
  readonly fromProvider: ReadonlySet<string>
  /** Keys in whose value a placeholder is left: never to be used. */
  readonly unresolved: ReadonlySet<string>
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Gives the value, or throws a ProviderFailure that names the missing file or key. */
type Lookup = (path: string, key: string, warn: (text: string) => void) => string

class ProviderFailure extends Error {}

/**
 * Puts values from files and the environment in the place of `${provider:path:key}`, as Kafka's AbstractConfig does with
 * `config.providers` (measured on 4.4.0), once and not again in what a provider gave. Where Kafka would leave a placeholder
 * in the value and send it (unknown provider, missing key, a path outside of allowed.paths), that is a problem here.
 */
export function resolvePlaceholders(
  properties: JavaProperties,
  file: string,
  environment: ProviderEnvironment,
): ResolvedProperties {
  const problems: string[] = []
  const warnings: string[] = []
  const fromProvider = new Set<string>()
  const unresolved = new Set<string>()
  const providers = configuredProviders(properties, file, environment, problems)
  const entries = new Map<string, PropertyEntry>()
  for (const entry of properties.entries.values()) {
    const where = `${printable(file)}:${entry.line}: ${printable(entry.key)}`
    // Kafka reads the providers' own settings before there are providers.
    if (isProviderSetting(entry.key) || !entry.value.includes('${')) {
      entries.set(entry.key, entry)
      continue
    }
    const complaints = new Set<string>()
    const value = entry.value.replace(
      PLACEHOLDER,
      (placeholder, name: string, path: string | undefined, key: string) => {
        fromProvider.add(entry.key)
        try {
          return lookUp(providers, name, path ?? '', key, (text) => warnings.push(`${where}: ${text}`))
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error
          complaints.add(`${where}: ${error.message}`)
          return placeholder
        }
      },
    )
    if (complaints.size === 0 && new RegExp(PLACEHOLDER.source).test(value)) {
      complaints.add(`${where}: a provider gave a value that holds a placeholder again, which Kafka does not resolve`)
    }
    if (complaints.size > 0) unresolved.add(entry.key)
    problems.push(...complaints)
    entries.set(entry.key, { ...entry, value })
  }
  return { entries, fromProvider, unresolved, problems, warnings }
}

/** Settings that say what providers there are; they are no settings of a connection. */
export function isProviderSetting(key: string): boolean {
  return key === 'config.providers' || key.startsWith('config.providers.')
}

function lookUp(
  providers: ReadonlyMap<string, Lookup | null>,
  name: string,
  path: string,
  key: string,
  warn: (text: string) => void,
): string {
  const lookup = providers.get(name)
  if (lookup === undefined) {
    // What stands between `${` and the colon may be anything, a part of a password too: only a plain word is repeated.
    const shown = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name) ? `provider ${name}` : 'a provider'
    throw new ProviderFailure(`${shown} is asked for, but config.providers does not configure it; ${SUPPORTED}`)
  }
  if (lookup === null) throw new ProviderFailure(`provider ${name} cannot be used (see above)`)
  try {
    return lookup(path, key, (text) => warn(`provider ${name}: ${text}`))
  } catch (error) {
    if (error instanceof ProviderFailure) throw new ProviderFailure(`provider ${name}: ${error.message}`)
    if (error instanceof ConfigError) throw new ProviderFailure(`provider ${name}: ${error.problems.join('; ')}`)
    throw error
  }
}

/** By name; null: configured, but not usable (the problem has been noted). */
function configuredProviders(
  { entries }: JavaProperties,
  file: string,
  environment: ProviderEnvironment,
  problems: string[],
): ReadonlyMap<string, Lookup | null> {
  const providers = new Map<string, Lookup | null>()
  const list = entries.get('config.providers')
  if (list === undefined) return providers
  for (const name of list.value.split(',').map(javaTrim)) {
    if (name === '') continue
    const prefix = `config.providers.${name}`
    const complain = (key: string, text: string) =>
      problems.push(`${printable(file)}:${entries.get(key)?.line ?? list.line}: ${printable(key)}: ${text}`)
    const className = javaTrim(entries.get(`${prefix}.class`)?.value ?? '')
    const parameter = (parameterName: string) => entries.get(`${prefix}.param.${parameterName}`)?.value
    providers.set(name, null)
    switch (className) {
      case `${PROVIDER_PACKAGE}FileConfigProvider`:
      case `${PROVIDER_PACKAGE}DirectoryConfigProvider`: {
        const allowed = allowedPaths(parameter('allowed.paths') ?? '')
        if (typeof allowed === 'string') {
          complain(`${prefix}.param.allowed.paths`, `${allowed} (provider ${printable(name)})`)
          break
        }
        const locate = (path: string) => locatePath(path, allowed, environment.workingDirectory)
        providers.set(name, className.endsWith('FileConfigProvider') ? fromFile(locate) : fromDirectory(locate))
        break
      }
      case `${PROVIDER_PACKAGE}EnvVarConfigProvider`: {
        const pattern = allowlist(parameter('allowlist.pattern') ?? '.*')
        if (pattern === null) {
          complain(
            `${prefix}.param.allowlist.pattern`,
            `not a regular expression that is understood here (provider ${printable(name)})`,
          )
        } else providers.set(name, fromEnvironment(environment.env, pattern))
        break
      }
      case '':
        complain(`${prefix}.class`, `the class of provider ${printable(name)} is not set; ${SUPPORTED}`)
        break
      default:
        complain(
          `${prefix}.class`,
          `provider ${printable(name)}: class ${printable(className)} is not supported; ${SUPPORTED}`,
        )
    }
  }
  return providers
}

/** The list, null for "anywhere", or what is wrong with it. Entries must be absolute and exist, as in Kafka's AllowedPaths. */
function allowedPaths(value: string): readonly string[] | null | string {
  if (value === '') return null
  const paths: string[] = []
  for (const path of value.split(',')) {
    const trimmed = javaTrim(path)
    if (!isAbsolute(trimmed)) return 'each path must be absolute'
    try {
      statSync(trimmed)
    } catch (error) {
      return `a path of the list ${fileFailure(error)}`
    }
    paths.push(normalize(trimmed).replace(/(?<=.)\/$/, ''))
  }
  return paths
}

/** Like Kafka it compares names, not what symbolic links point at. */
function locatePath(path: string, allowed: readonly string[] | null, workingDirectory: string): string {
  if (allowed === null) return resolve(workingDirectory, path)
  const wanted = normalize(path)
  const inside = allowed.some((root) => wanted === root || wanted.startsWith(root === sep ? sep : root + sep))
  if (!inside) throw new ProviderFailure(`${printable(path)} is not under allowed.paths`)
  return wanted
}

function fromFile(locate: (path: string) => string): Lookup {
  return (path, key, warn) => {
    if (path === '') throw new ProviderFailure('the placeholder has to name a file and a key (provider:FILE:KEY)')
    const located = locate(path)
    const content = readJavaProperties(readBytes(located, path), path, 'UTF-8')
    for (const warning of content.warnings) warn(warning)
    const value = content.entries.get(key)?.value
    if (value === undefined) throw new ProviderFailure(`${printable(path)} has no key ${printable(key)}`)
    return value
  }
}

/** Each file directly in the directory is a key, its whole content the value. */
function fromDirectory(locate: (path: string) => string): Lookup {
  return (path, key, warn) => {
    if (path === '')
      throw new ProviderFailure('the placeholder has to name a directory and a file (provider:DIRECTORY:FILE)')
    const located = locate(path)
    let names: string[]
    try {
      names = readdirSync(located)
    } catch (error) {
      throw new ProviderFailure(`directory ${printable(path)} ${fileFailure(error)}`)
    }
    const shown = join(path, key)
    if (!names.includes(key)) throw new ProviderFailure(`directory ${printable(path)} has no file ${printable(key)}`)
    const bytes = readBytes(join(located, key), shown)
    let value: string
    try {
      value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      throw new ProviderFailure(`${printable(shown)} is not UTF-8`)
    }
    if (/[\r\n]$/.test(value)) warn(`${printable(shown)} ends in a line end, which is part of the value, as in Kafka`)
    return value
  }
}

function fromEnvironment(env: ProviderEnvironment['env'], pattern: RegExp): Lookup {
  return (path, key) => {
    if (path !== '') throw new ProviderFailure('it takes a variable and no path (provider:VARIABLE)')
    if (!pattern.test(key)) throw new ProviderFailure(`variable ${printable(key)} is not in allowlist.pattern`)
    const value = env[key]
    if (value === undefined) throw new ProviderFailure(`variable ${printable(key)} is not set in the environment`)
    return value
  }
}

/** Null: not understood. The whole name has to match. With the u flag whatever is special to Java alone is an error. */
function allowlist(pattern: string): RegExp | null {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    return null
  }
}

function readBytes(located: string, shown: string): Buffer {
  try {
    return readFileSync(located)
  } catch (error) {
    throw new ProviderFailure(`file ${printable(shown)} ${fileFailure(error)}`)
  }
}
