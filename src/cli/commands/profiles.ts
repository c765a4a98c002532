import { isAbsolute, resolve } from 'node:path'
import { parseBrokerEndpoints } from '../../config/broker-endpoint.js'
import { PROFILE_COLOURS, type Profile, Profiles } from '../../config/profiles.js'
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
}

function saved(): Profiles {
  return new Profiles(stateFolders().profiles)
}

export const listProfiles: CommandHandler<JsonOption> = async ({ output }) => {
  const profiles = saved()
  const all = await profiles.list()
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
  const profile = await saved().get(name)
  if (output.json) output.document({ profile })
  else {
    output.text(
      Object.entries(profile).map(
        ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    )
  }
  return EXIT.done
}

export const addProfile: CommandHandler<AddProfileOptions> = async ({ output }, options, [name = '']) => {
  const profile = profileOf(name, options)
  if (profile.bootstrapServers === undefined && profile.commandConfig === undefined) {
    throw new CliError(EXIT.usage, 'give --bootstrap-server, or --command-config of a file with bootstrap.servers')
  }
  const profiles = saved()
  await profiles.add(profile)
  if (output.json) output.document({ profile })
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
  }
}

function endpointsById(options: readonly string[]): Record<string, string> {
  const endpoints = [...parseBrokerEndpoints(options)]
  return Object.fromEntries(
    endpoints.map(([id, { host, port }]) => [String(id), host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]),
  )
}
