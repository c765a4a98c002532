import { isAbsolute, resolve } from 'node:path'
import { parseBrokerEndpoints } from '../../config/broker-endpoint.js'
import {
  maskedProfile,
  PROFILE_COLOURS,
  type Profile,
  Profiles,
  REPAIR_COMMANDS,
  type RepairCommands,
} from '../../config/profiles.js'
import { parseRepairCommand } from '../../config/repair-command.js'
import { stateFolders } from '../../config/state-folder.js'
import type { CommandHandler } from '../context.js'
import { CliError, EXIT } from '../exit.js'
import type { JsonOption } from '../options/connection.js'
import { columns } from '../text/columns.js'

export interface AddProfileOptions extends JsonOption {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly label?: string
  readonly color?: string
  readonly readOnly?: boolean
  readonly brokerEndpoint?: readonly string[]
  readonly repairCheckDisk?: string
  readonly repairStop?: string
  readonly repairStart?: string
  readonly repairRestart?: string
}

function saved(): Profiles {
  return new Profiles(stateFolders().profiles)
}

export const listProfiles: CommandHandler<JsonOption> = async ({ output }) => {
  const profiles = saved()
  const all = (await profiles.list()).map(maskedProfile)
  if (output.json) output.document({ profiles: all })
  else if (all.length === 0) output.note(`no profile is saved (${profiles.file})`)
  else {
    output.text(
      columns(
        [
          { title: 'PROFILE' },
          { title: 'LABEL', mayCut: true },
          { title: 'BOOTSTRAP SERVERS', mayCut: true },
          { title: 'COMMAND CONFIG', mayCut: true },
          { title: 'READ-ONLY' },
        ],
        all.map((profile) => [
          profile.name,
          profile.label ?? '-',
          profile.bootstrapServers ?? '-',
          profile.commandConfig ?? '-',
          profile.readOnly === true ? 'yes' : 'no',
        ]),
        output.columns,
      ),
    )
  }
  return EXIT.done
}

export const showProfile: CommandHandler<JsonOption> = async ({ output }, _options, [name = '']) => {
  const profile = maskedProfile(await saved().get(name))
  if (output.json) output.document({ profile })
  else output.text(profileLines(profile))
  return EXIT.done
}

/** Commands word for word: no shell joins or splits them. */
function profileLines({ repair, ...profile }: Profile): string[] {
  return [
    ...Object.entries(profile).map(
      ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    ...Object.entries(repair?.commands ?? {}).map(([name, argv]) => `repair.commands.${name}: ${JSON.stringify(argv)}`),
  ]
}

export const addProfile: CommandHandler<AddProfileOptions> = async ({ output }, options, [name = '']) => {
  const profile = profileOf(name, options)
  if (profile.bootstrapServers === undefined && profile.commandConfig === undefined) {
    throw new CliError(EXIT.usage, 'give --bootstrap-server, or --command-config of a file with bootstrap.servers')
  }
  const profiles = saved()
  await profiles.add(profile)
  if (output.json) output.document({ profile: maskedProfile(profile) })
  else output.note(`saved: ${name} in ${profiles.file}`)
  return EXIT.done
}

export const removeProfile: CommandHandler<JsonOption> = async ({ output }, _options, [name = '']) => {
  await saved().remove(name)
  if (output.json) output.document({ removed: name })
  else output.note(`removed: ${name}`)
  return EXIT.done
}

function profileOf(name: string, options: AddProfileOptions): Profile {
  const { bootstrapServer, commandConfig, label, color, readOnly, brokerEndpoint } = options
  const colour = PROFILE_COLOURS.find((known) => known === color)
  if (color !== undefined && colour === undefined) {
    throw new CliError(EXIT.usage, `--color: ${color} is none of ${PROFILE_COLOURS.join(', ')}`)
  }
  return {
    name,
    ...(bootstrapServer === undefined ? {} : { bootstrapServers: bootstrapServer }),
    // A profile is used from any folder.
    ...(commandConfig === undefined
      ? {}
      : { commandConfig: isAbsolute(commandConfig) ? commandConfig : resolve(commandConfig) }),
    ...(label === undefined ? {} : { label }),
    ...(colour === undefined ? {} : { colour }),
    ...(readOnly === true ? { readOnly } : {}),
    ...(brokerEndpoint === undefined ? {} : { brokerEndpoints: endpointsById(brokerEndpoint) }),
    ...repairOf(options),
  }
}

function repairOf(options: AddProfileOptions): Pick<Profile, 'repair'> {
  const given: Record<keyof RepairCommands, readonly [option: string, text: string | undefined]> = {
    checkDisk: ['--repair-check-disk', options.repairCheckDisk],
    stop: ['--repair-stop', options.repairStop],
    start: ['--repair-start', options.repairStart],
    restart: ['--repair-restart', options.repairRestart],
  }
  const commands = REPAIR_COMMANDS.flatMap((name) => {
    const [option, text] = given[name]
    return text === undefined ? [] : [[name, parseRepairCommand(text, option)] as const]
  })
  return commands.length === 0 ? {} : { repair: { commands: Object.fromEntries(commands) } }
}

function endpointsById(options: readonly string[]): Record<string, string> {
  const endpoints = [...parseBrokerEndpoints(options)]
  return Object.fromEntries(
    endpoints.map(([id, { host, port }]) => [String(id), host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]),
  )
}
