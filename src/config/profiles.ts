import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Conf from 'conf'
import { parseBootstrapServers } from './bootstrap-servers.js'
import { parseBrokerEndpoints } from './broker-endpoint.js'
import { ConfigError, fileFailure } from './config-error.js'
import { loadConf } from './load-conf.js'
import { printable } from './printable.js'
import { holdsSecret, isWords, maskedCommand } from './repair-command.js'
import { ensureFolder, FILE_MODE } from './state-folder.js'

export const PROFILE_COLOURS = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta', 'gray'] as const
export type ProfileColour = (typeof PROFILE_COLOURS)[number]

/** A saved cluster. Never holds a secret: those stay in the properties file that `commandConfig` names. */
export interface Profile {
  readonly name: string
  /** `h:p,h:p` */
  readonly bootstrapServers?: string
  /** Path of the Java client properties. */
  readonly commandConfig?: string
  /** What the cluster is called on screens. */
  readonly label?: string
  readonly colour?: ProfileColour
  readonly readOnly?: boolean
  /** `host:port` by broker id. */
  readonly brokerEndpoints?: Readonly<Record<string, string>>
  readonly repair?: { readonly commands?: RepairCommands }
}

/** Programs with their arguments, run without a shell. {host}, {broker} and {logDir} are filled in. */
export interface RepairCommands {
  readonly checkDisk?: readonly string[]
  readonly stop?: readonly string[]
  readonly start?: readonly string[]
  readonly restart?: readonly string[]
}

export const REPAIR_COMMANDS = ['checkDisk', 'stop', 'start', 'restart'] as const satisfies (keyof RepairCommands)[]

/** A profile as it may be shown: what looks like a secret in its commands is not. */
export function maskedProfile(profile: Profile): Profile {
  const commands = profile.repair?.commands
  if (commands === undefined) return profile
  const masked = Object.entries(commands).map(([name, argv]) => [name, maskedCommand(argv)])
  return { ...profile, repair: { ...profile.repair, commands: Object.fromEntries(masked) } }
}

const FILE_NAME = 'profiles'
const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const SECRET_LIKE = /pass(?:word|wd|phrase)?|secret|token|credential|jaas|private.?key|api.?key/i
const PLACEHOLDERS = new Set(['{host}', '{broker}', '{logDir}'])

const text = { type: 'string', minLength: 1, maxLength: 4096 } as const
const command = { type: 'array', items: { type: 'string', maxLength: 4096 }, minItems: 1 } as const

const PROFILE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    bootstrapServers: text,
    commandConfig: text,
    label: text,
    colour: { type: 'string', enum: [...PROFILE_COLOURS] },
    readOnly: { type: 'boolean' },
    brokerEndpoints: {
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^[0-9]{1,10}$': text },
    },
    repair: {
      type: 'object',
      additionalProperties: false,
      properties: {
        commands: {
          type: 'object',
          additionalProperties: false,
          properties: { checkDisk: command, stop: command, start: command, restart: command },
        },
      },
    },
  },
} as const

type StoredProfile = Omit<Profile, 'name'>
type Store = { profiles: Record<string, StoredProfile> }

/** Saved clusters, in `profiles.json` (mode 0600) of a folder. */
export class Profiles {
  readonly #folder: string
  #conf: Conf<Store> | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  get file(): string {
    return join(this.#folder, `${FILE_NAME}.json`)
  }

  /** By name. @throws ConfigError if the file is damaged */
  async list(): Promise<Profile[]> {
    const all = await this.#all()
    return Object.keys(all)
      .sort()
      .map((name) => ({ name, ...all[name] }))
  }

  /** @throws ConfigError if there is none of this name (the saved ones are named), or the file is damaged */
  async get(name: string): Promise<Profile> {
    const all = await this.#all()
    const found = Object.hasOwn(all, name) ? all[name] : undefined
    if (found === undefined) {
      const names = Object.keys(all).sort()
      const saved = names.length === 0 ? 'none is saved' : `saved: ${printable(names.join(', '), 300)}`
      throw new ConfigError(`--profile: there is no profile ${printable(name)}; ${saved}`)
    }
    return { name, ...found }
  }

  /** @throws ConfigError if the name is taken, or something in the profile cannot be used: one line each */
  async add(profile: Profile): Promise<void> {
    const { name, ...stored } = profile
    const problems = [...profileProblems(profile, `profile ${printable(name)}`)]
    if (!PROFILE_NAME.test(name)) {
      problems.unshift(`profile ${printable(name)}: a name is letters, digits, ".", "_" and "-", at most 64 of them`)
    }
    const all = await this.#all()
    if (Object.hasOwn(all, name)) {
      problems.push(`profile ${printable(name)}: the name is taken; remove that profile first`)
    }
    if (problems.length > 0) throw new ConfigError(problems)
    await this.#write({ ...all, [name]: stored })
  }

  /** @throws ConfigError if there is none of this name, or the file is damaged */
  async remove(name: string): Promise<void> {
    await this.get(name)
    const { [name]: _removed, ...rest } = await this.#all()
    await this.#write(rest)
  }

  async #all(): Promise<Record<string, StoredProfile>> {
    if (!this.#exists()) return {}
    const all = (await this.#open()).get('profiles') ?? {}
    const problems = Object.entries(all).flatMap(([name, profile]) => [
      ...profileProblems({ name, ...profile }, `${printable(this.file)}: profile ${printable(name)}`),
    ])
    if (problems.length > 0) throw new ConfigError(problems)
    return all
  }

  async #write(profiles: Record<string, StoredProfile>): Promise<void> {
    ensureFolder(this.#folder)
    const conf = await this.#open()
    try {
      conf.set('profiles', profiles)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** A look at the raw file first: conf would write an empty one, and its messages on damage are not for operators. */
  #exists(): boolean {
    let raw: string
    try {
      raw = readFileSync(this.file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
      throw new ConfigError(`${printable(this.file)} ${fileFailure(error)}`)
    }
    let parsed: unknown
    try {
      parsed = JSON.parse(raw)
    } catch {
      throw new ConfigError(`${printable(this.file)}: damaged (not JSON): mend it, or move it away to begin anew`)
    }
    for (const profile of storedProfiles(parsed)) {
      const secretKey = findSecretKey(profile)
      if (secretKey !== null) throw new ConfigError(`${printable(this.file)}: ${secretRefusal(secretKey)}`)
    }
    return true
  }

  async #open(): Promise<Conf<Store>> {
    if (this.#conf !== null) return this.#conf
    const ConfClass = await loadConf()
    try {
      this.#conf = new ConfClass<Store>({
        cwd: this.#folder,
        configName: FILE_NAME,
        configFileMode: FILE_MODE,
        accessPropertiesByDotNotation: false,
        clearInvalidConfig: false,
        schema: { profiles: { type: 'object', additionalProperties: PROFILE_SCHEMA } },
        rootSchema: { additionalProperties: false },
      })
      return this.#conf
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): ConfigError {
    const message = error instanceof Error ? error.message : ''
    // `Config schema violation: `profiles/prod/colour` must be ...`: names places and rules, no values.
    const violation = /^Config schema violation: (.*)$/s.exec(message)?.[1]
    if (violation !== undefined) return new ConfigError(`${printable(this.file)}: ${printable(violation, 400)}`)
    return new ConfigError(`${printable(this.file)} ${fileFailure(error)}`)
  }
}

/** What the schema cannot say. One line each. */
function* profileProblems(profile: Profile, where: string): Generator<string> {
  const secretKey = findSecretKey(profile)
  if (secretKey !== null) yield `${where}: ${secretRefusal(secretKey)}`
  const complaint = (read: () => unknown): readonly string[] => {
    try {
      read()
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
  }
  const { bootstrapServers, brokerEndpoints } = profile
  if (bootstrapServers !== undefined) {
    yield* complaint(() => parseBootstrapServers(bootstrapServers, `${where}: bootstrapServers`))
  }
  if (brokerEndpoints !== undefined) {
    yield* complaint(() => parseBrokerEndpoints(endpointOptions(brokerEndpoints), `${where}: brokerEndpoints`))
  }
  for (const [name, argv] of Object.entries(profile.repair?.commands ?? {})) {
    // That is for the schema to tell.
    if (!isWords(argv)) continue
    for (const argument of argv) {
      for (const [placeholder] of argument.matchAll(/\{\w+\}/g)) {
        if (!PLACEHOLDERS.has(placeholder)) {
          yield `${where}: repair.commands.${name}: ${printable(placeholder)} is not known; known: ${[...PLACEHOLDERS].join(', ')}`
        }
      }
    }
    if (holdsSecret(argv)) {
      yield `${where}: repair.commands.${name}: an argument looks like a secret; a profile never holds one: let the command read it itself`
    }
  }
}

/** As `--broker-endpoint` has them. */
export function endpointOptions(brokerEndpoints: Readonly<Record<string, string>>): string[] {
  return Object.entries(brokerEndpoints).map(([broker, endpoint]) => `${broker}=${endpoint}`)
}

function secretRefusal(key: string): string {
  return `${printable(key)} looks like a secret; a profile never holds one: put it into the properties file (commandConfig)`
}

/** The first key inside a profile, at any depth, that looks like a secret's. */
function findSecretKey(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (SECRET_LIKE.test(key)) return key
    const found = findSecretKey(inner)
    if (found !== null) return found
  }
  return null
}

/** The profiles of a file that nothing is known of yet. */
function storedProfiles(parsed: unknown): unknown[] {
  if (typeof parsed !== 'object' || parsed === null || !('profiles' in parsed)) return []
  return typeof parsed.profiles === 'object' && parsed.profiles !== null ? Object.values(parsed.profiles) : []
}
