import { OAUTH_LOGIN_HANDLERS } from './client-configs.js'
import type { ClientProperties } from './client-properties.js'
import { type JaasEntry, parseJaasConfig } from './jaas.js'
import { printable } from './printable.js'
import { Secret } from './secret.js'

export type SaslSettings =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
      readonly username: string
      readonly password: Secret
    }
  | OauthSettings

/** OAUTHBEARER with a token that is fetched by client credentials (RFC 6749, 4.4). */
export interface OauthSettings {
  readonly mechanism: 'OAUTHBEARER'
  readonly tokenEndpointUrl: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly scope: string | null
  /** Client id and secret are form-encoded inside the Authorization header (RFC 6749, 2.3.1). */
  readonly urlEncodeHeader: boolean
  /** SASL extensions sent with the token, by name. */
  readonly extensions: Readonly<Record<string, string>>
  /** ms; null: no limit of its own (0 in Kafka). */
  readonly connectTimeoutMs: number | null
  readonly readTimeoutMs: number | null
  /** Wait before asking the token endpoint again: from, to. ms */
  readonly retryBackoffMs: number
  readonly retryBackoffMaxMs: number
}

const SUPPORTED = 'supported: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER with client credentials'
const PASSWORD_MODULES = new Set([
  'org.apache.kafka.common.security.plain.PlainLoginModule',
  'org.apache.kafka.common.security.scram.ScramLoginModule',
])
const OAUTH_MODULE = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule'

/** Null: something cannot be used; the problems are noted in `properties`. Never part of a problem: a value of the JAAS text. */
export function readSaslSettings(properties: ClientProperties): SaslSettings | null {
  const mechanism = properties.get('sasl.mechanism')
  if (mechanism === null || mechanism.value === '') {
    properties.problem('sasl.mechanism', `is not set, which means GSSAPI: not supported; ${SUPPORTED}`)
    noteKerberos(properties)
    return null
  }
  const name = mechanism.value
  switch (name) {
    case 'PLAIN':
    case 'SCRAM-SHA-256':
    case 'SCRAM-SHA-512': {
      const entry = readJaas(properties, PASSWORD_MODULES)
      return entry === null ? null : passwordLogin(properties, name, entry)
    }
    case 'OAUTHBEARER': {
      const entry = readJaas(properties, new Set([OAUTH_MODULE]))
      return entry === null ? null : oauthLogin(properties, entry)
    }
    default:
      properties.problem('sasl.mechanism', `${mechanism.shown} is not supported; ${SUPPORTED}`)
      if (name === 'GSSAPI') noteKerberos(properties)
      return null
  }
}

/** Every setting that went with GSSAPI, by name: the operator sees at once what is affected. */
function noteKerberos(properties: ClientProperties): void {
  for (const { key } of properties.all()) {
    if (key.startsWith('sasl.kerberos.')) properties.problem(key, 'belongs to GSSAPI, which is not supported')
  }
}

function readJaas(properties: ClientProperties, modules: ReadonlySet<string>): JaasEntry | null {
  const key = 'sasl.jaas.config'
  const text = properties.text(key)
  if (text === null) {
    properties.problem(key, 'is needed for this sasl.mechanism (a JAAS file of the Java runtime is not read here)')
    return null
  }
  const result = parseJaasConfig(text)
  if (!result.ok) {
    properties.problem(key, result.cause)
    return null
  }
  if (!modules.has(result.entry.loginModule)) {
    // After a lost quote the "class" may be anything; only what looks like a class name is repeated.
    const name = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(result.entry.loginModule)
      ? printable(result.entry.loginModule)
      : 'that'
    properties.problem(key, `login module ${name} is not supported here; supported: ${[...modules].join(', ')}`)
    return null
  }
  return result.entry
}

function passwordLogin(
  properties: ClientProperties,
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512',
  { options }: JaasEntry,
): SaslSettings | null {
  const username = options.get('username')
  const password = options.get('password')
  if (username === undefined) properties.problem('sasl.jaas.config', 'has no option username')
  if (password === undefined) properties.problem('sasl.jaas.config', 'has no option password')
  // ScramLoginModule: delegation tokens go by an extension of SCRAM.
  if (mechanism !== 'PLAIN' && options.get('tokenauth')?.reveal().toLowerCase() === 'true') {
    properties.problem('sasl.jaas.config', 'option tokenauth (delegation tokens) is not supported')
    return null
  }
  return username === undefined || password === undefined ? null : { mechanism, username: username.reveal(), password }
}

function oauthLogin(properties: ClientProperties, { options }: JaasEntry): OauthSettings | null {
  const before = properties.problems.length
  const refusedOptions = [...options.keys()].filter((name) => /^(?:unsecuredLogin|ssl\.)/.test(name))
  for (const name of refusedOptions) {
    properties.problem('sasl.jaas.config', `option ${printable(name)} is not supported; supported: client credentials`)
  }
  const handler = properties.text('sasl.login.callback.handler.class')
  const tokenEndpointUrl = properties.text('sasl.oauthbearer.token.endpoint.url')
  if (handler === null && tokenEndpointUrl === null) {
    properties.problem(
      'sasl.login.callback.handler.class',
      `is not set, which means unsecured tokens: not supported; supported: ${OAUTH_LOGIN_HANDLERS[0]}`,
    )
  }
  if (tokenEndpointUrl === null) properties.problem('sasl.oauthbearer.token.endpoint.url', 'is needed for OAUTHBEARER')
  else if (!isWebAddress(tokenEndpointUrl)) {
    properties.problem(
      'sasl.oauthbearer.token.endpoint.url',
      'has to be an http or https URL; tokens in files are not supported',
    )
  }
  // ConfigOrJaas of 4.4.0: the setting comes before the option, which is deprecated.
  const clientId = properties.text('sasl.oauthbearer.client.credentials.client.id') ?? options.get('clientId')?.reveal()
  const secretText = properties.text('sasl.oauthbearer.client.credentials.client.secret')
  const clientSecret = secretText === null ? options.get('clientSecret') : new Secret(secretText)
  if (clientId === undefined)
    properties.problem('sasl.oauthbearer.client.credentials.client.id', 'is needed for OAUTHBEARER')
  if (clientSecret === undefined) {
    properties.problem('sasl.oauthbearer.client.credentials.client.secret', 'is needed for OAUTHBEARER')
  }
  const extensions = readExtensions(properties, options)
  if (properties.problems.length > before) return null
  if (tokenEndpointUrl === null || clientId === undefined || clientSecret === undefined) return null
  return {
    mechanism: 'OAUTHBEARER',
    tokenEndpointUrl,
    clientId,
    clientSecret,
    scope: properties.text('sasl.oauthbearer.scope') ?? options.get('scope')?.reveal() ?? null,
    urlEncodeHeader: properties.text('sasl.oauthbearer.header.urlencode')?.toLowerCase() === 'true',
    extensions,
    connectTimeoutMs: milliseconds(properties, 'sasl.login.connect.timeout.ms') || null,
    readTimeoutMs: milliseconds(properties, 'sasl.login.read.timeout.ms') || null,
    retryBackoffMs: milliseconds(properties, 'sasl.login.retry.backoff.ms') ?? 100,
    retryBackoffMaxMs: milliseconds(properties, 'sasl.login.retry.backoff.max.ms') ?? 10_000,
  }
}

/** `extension_NAME="value"`; names and values as OAuthBearerClientInitialResponse of Kafka checks them. */
function readExtensions(properties: ClientProperties, options: JaasEntry['options']): Record<string, string> {
  const extensions: Record<string, string> = {}
  for (const [option, value] of options) {
    if (!option.startsWith('extension_')) continue
    const name = option.slice('extension_'.length)
    if (!/^[A-Za-z]+$/.test(name) || name === 'auth' || !/^[\x20-\x7e\t\r\n]+$/.test(value.reveal())) {
      properties.problem('sasl.jaas.config', `option ${printable(option)} is not a valid SASL extension`)
    } else extensions[name] = value.reveal()
  }
  return extensions
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Values were checked against their type before. */
function milliseconds(properties: ClientProperties, key: string): number | null {
  const text = properties.text(key)
  return text === null ? null : Number.parseInt(text, 10)
}
