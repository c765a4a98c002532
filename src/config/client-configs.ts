/** Types of Kafka's ConfigDef. Passwords are never shown. */
export type ConfigType = 'string' | 'password' | 'int' | 'long' | 'short' | 'double' | 'boolean' | 'list' | 'class'

/** One setting that Kafka's admin client knows, and what becomes of it here. */
export interface ClientConfig {
  readonly type: ConfigType
  readonly min?: number
  readonly max?: number
  /** Whole set of values that Kafka takes; compared without regard to case if `anyCase`. */
  readonly oneOf?: readonly string[]
  readonly anyCase?: boolean
  readonly use:
    | { readonly kind: 'honoured' }
    /** Does not change whom we trust or who we are: checked as Kafka does, then listed with --verbose. */
    | { readonly kind: 'ignored' }
    /** Changes security: these values (and the empty one) mean nothing new here, any other is refused. */
    | { readonly kind: 'refused'; readonly harmless: readonly string[]; readonly instead: string }
}

const HONOURED = { kind: 'honoured' } as const
const IGNORED = { kind: 'ignored' } as const
const refused = (instead: string, ...harmless: string[]) => ({ kind: 'refused', harmless, instead }) as const

const ASSERTION = refused(
  'the login by assertion is not supported; supported: client credentials (client.id, client.secret)',
)
const VALIDATION = refused('tokens are checked by the broker; remove it from the file used here')
const CALLBACK = refused(
  'Java classes cannot be loaded here; supported logins: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER with client credentials',
)
const JAVA_ONLY = refused(
  'it chooses a part of the Java runtime, which is not there; remove it from the file used here',
)

/** The callback handler that OAUTHBEARER with client credentials is configured with; its former name too. */
export const OAUTH_LOGIN_HANDLERS = [
  'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
  'org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerLoginCallbackHandler',
]

/**
 * Every setting of the admin client of Kafka 4.4.0, as AdminClientConfig.configDef() of its kafka-clients jar lists them
 * (test/config/fixtures/admin-client-configs.json), types and ranges from there.
 */
const CLIENT_CONFIGS: Readonly<Record<string, ClientConfig>> = {
  'bootstrap.controllers': {
    type: 'list',
    use: refused('connecting to controllers is not supported; give brokers (bootstrap.servers, --bootstrap-server)'),
  },
  'bootstrap.resolve.timeout.ms': { type: 'long', min: 0, use: IGNORED },
  'bootstrap.servers': { type: 'list', use: HONOURED },
  'client.dns.lookup': {
    type: 'string',
    oneOf: ['use_all_dns_ips', 'resolve_canonical_bootstrap_servers_only'],
    use: IGNORED,
  },
  'client.id': { type: 'string', use: HONOURED },
  'config.providers': { type: 'list', use: HONOURED },
  'connections.max.idle.ms': { type: 'long', use: IGNORED },
  'default.api.timeout.ms': { type: 'int', min: 0, use: IGNORED },
  'enable.metrics.push': { type: 'boolean', use: IGNORED },
  'metadata.cluster.check.enable': { type: 'boolean', use: IGNORED },
  'metadata.max.age.ms': { type: 'long', min: 0, use: IGNORED },
  'metadata.recovery.rebootstrap.trigger.ms': { type: 'long', min: 0, use: IGNORED },
  'metadata.recovery.strategy': { type: 'string', oneOf: ['REBOOTSTRAP', 'NONE'], anyCase: true, use: IGNORED },
  'metric.reporters': { type: 'list', use: IGNORED },
  'metrics.num.samples': { type: 'int', min: 1, use: IGNORED },
  'metrics.recording.level': { type: 'string', oneOf: ['INFO', 'DEBUG', 'TRACE'], use: IGNORED },
  'metrics.sample.window.ms': { type: 'long', min: 0, use: IGNORED },
  'receive.buffer.bytes': { type: 'int', min: -1, use: IGNORED },
  'reconnect.backoff.max.ms': { type: 'long', min: 0, use: IGNORED },
  'reconnect.backoff.ms': { type: 'long', min: 0, use: IGNORED },
  // Kafka takes 0 as well, and then answers nothing in time.
  'request.timeout.ms': { type: 'int', min: 1, use: HONOURED },
  retries: { type: 'int', min: 0, use: IGNORED },
  'retry.backoff.max.ms': { type: 'long', min: 0, use: IGNORED },
  'retry.backoff.ms': { type: 'long', min: 0, use: IGNORED },
  'send.buffer.bytes': { type: 'int', min: -1, use: IGNORED },
  'socket.connection.setup.timeout.max.ms': { type: 'long', use: IGNORED },
  'socket.connection.setup.timeout.ms': { type: 'long', use: IGNORED },

  'security.protocol': {
    type: 'string',
    oneOf: ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'],
    anyCase: true,
    use: HONOURED,
  },
  'security.providers': { type: 'string', use: JAVA_ONLY },

  'sasl.client.callback.handler.class': { type: 'class', use: CALLBACK },
  'sasl.jaas.config': { type: 'password', use: HONOURED },
  // GSSAPI itself is refused; without it these have no effect in Kafka either.
  'sasl.kerberos.kinit.cmd': { type: 'string', use: IGNORED },
  'sasl.kerberos.min.time.before.relogin': { type: 'long', use: IGNORED },
  'sasl.kerberos.service.name': { type: 'string', use: IGNORED },
  'sasl.kerberos.ticket.renew.jitter': { type: 'double', use: IGNORED },
  'sasl.kerberos.ticket.renew.window.factor': { type: 'double', use: IGNORED },
  'sasl.login.callback.handler.class': {
    type: 'class',
    use: refused(
      `Java classes cannot be loaded here; supported: ${OAUTH_LOGIN_HANDLERS[0]} with OAUTHBEARER`,
      ...OAUTH_LOGIN_HANDLERS,
    ),
  },
  'sasl.login.class': { type: 'class', use: CALLBACK },
  'sasl.login.connect.timeout.ms': { type: 'int', min: 0, use: HONOURED },
  'sasl.login.read.timeout.ms': { type: 'int', min: 0, use: HONOURED },
  'sasl.login.refresh.buffer.seconds': { type: 'short', min: 0, max: 3600, use: IGNORED },
  'sasl.login.refresh.min.period.seconds': { type: 'short', min: 0, max: 900, use: IGNORED },
  'sasl.login.refresh.window.factor': { type: 'double', min: 0.5, max: 1, use: IGNORED },
  'sasl.login.refresh.window.jitter': { type: 'double', min: 0, max: 0.25, use: IGNORED },
  'sasl.login.retry.backoff.max.ms': { type: 'long', min: 0, use: HONOURED },
  'sasl.login.retry.backoff.ms': { type: 'long', min: 0, use: HONOURED },
  'sasl.mechanism': { type: 'string', use: HONOURED },
  'sasl.oauthbearer.allow.unverified.audience': { type: 'boolean', use: refused(VALIDATION.instead, 'false') },
  'sasl.oauthbearer.allow.unverified.issuer': { type: 'boolean', use: refused(VALIDATION.instead, 'false') },
  'sasl.oauthbearer.assertion.algorithm': { type: 'string', use: refused(ASSERTION.instead, 'RS256') },
  'sasl.oauthbearer.assertion.claim.aud': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.assertion.claim.exp.seconds': { type: 'int', use: refused(ASSERTION.instead, '300') },
  'sasl.oauthbearer.assertion.claim.iss': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.assertion.claim.jti.include': { type: 'boolean', use: refused(ASSERTION.instead, 'false') },
  'sasl.oauthbearer.assertion.claim.nbf.seconds': { type: 'int', use: refused(ASSERTION.instead, '60') },
  'sasl.oauthbearer.assertion.claim.sub': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.assertion.file': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.assertion.private.key.file': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.assertion.private.key.passphrase': { type: 'password', use: ASSERTION },
  'sasl.oauthbearer.assertion.template.file': { type: 'string', use: ASSERTION },
  'sasl.oauthbearer.client.credentials.client.id': { type: 'string', use: HONOURED },
  'sasl.oauthbearer.client.credentials.client.secret': { type: 'password', use: HONOURED },
  'sasl.oauthbearer.clock.skew.seconds': { type: 'int', use: IGNORED },
  'sasl.oauthbearer.expected.audience': { type: 'list', use: VALIDATION },
  'sasl.oauthbearer.expected.issuer': { type: 'string', use: VALIDATION },
  'sasl.oauthbearer.header.urlencode': { type: 'boolean', use: HONOURED },
  'sasl.oauthbearer.jwks.endpoint.refresh.ms': { type: 'long', use: IGNORED },
  'sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms': { type: 'long', use: IGNORED },
  'sasl.oauthbearer.jwks.endpoint.retry.backoff.ms': { type: 'long', use: IGNORED },
  'sasl.oauthbearer.jwks.endpoint.url': { type: 'string', use: VALIDATION },
  'sasl.oauthbearer.jwt.retriever.class': {
    type: 'class',
    use: refused(
      'supported: DefaultJwtRetriever and ClientCredentialsJwtRetriever of org.apache.kafka.common.security.oauthbearer',
      'org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever',
      'org.apache.kafka.common.security.oauthbearer.ClientCredentialsJwtRetriever',
    ),
  },
  'sasl.oauthbearer.jwt.validator.class': {
    type: 'class',
    use: refused(
      'supported: DefaultJwtValidator and ClientJwtValidator of org.apache.kafka.common.security.oauthbearer',
      'org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator',
      'org.apache.kafka.common.security.oauthbearer.ClientJwtValidator',
    ),
  },
  'sasl.oauthbearer.scope': { type: 'string', use: HONOURED },
  'sasl.oauthbearer.scope.claim.name': { type: 'string', use: IGNORED },
  'sasl.oauthbearer.sub.claim.name': { type: 'string', use: IGNORED },
  'sasl.oauthbearer.token.endpoint.url': { type: 'string', use: HONOURED },

  'ssl.cipher.suites': { type: 'list', use: HONOURED },
  'ssl.enabled.protocols': { type: 'list', use: HONOURED },
  'ssl.endpoint.identification.algorithm': { type: 'string', use: HONOURED },
  'ssl.engine.factory.class': {
    type: 'class',
    use: refused(
      'Java classes cannot be loaded here; supported: stores of type JKS, PKCS12 and PEM',
      'org.apache.kafka.common.security.ssl.DefaultSslEngineFactory',
    ),
  },
  'ssl.key.password': { type: 'password', use: HONOURED },
  'ssl.keymanager.algorithm': { type: 'string', use: refused(JAVA_ONLY.instead, 'SunX509', 'NewSunX509', 'PKIX') },
  'ssl.keystore.certificate.chain': { type: 'password', use: HONOURED },
  'ssl.keystore.key': { type: 'password', use: HONOURED },
  'ssl.keystore.location': { type: 'string', use: HONOURED },
  'ssl.keystore.password': { type: 'password', use: HONOURED },
  'ssl.keystore.type': { type: 'string', use: HONOURED },
  'ssl.protocol': { type: 'string', use: HONOURED },
  'ssl.provider': { type: 'string', use: JAVA_ONLY },
  'ssl.secure.random.implementation': { type: 'string', use: JAVA_ONLY },
  'ssl.trustmanager.algorithm': { type: 'string', use: refused(JAVA_ONLY.instead, 'PKIX', 'SunPKIX', 'X509', 'X.509') },
  'ssl.truststore.certificates': { type: 'password', use: HONOURED },
  'ssl.truststore.location': { type: 'string', use: HONOURED },
  'ssl.truststore.password': { type: 'password', use: HONOURED },
  'ssl.truststore.type': { type: 'string', use: HONOURED },
}

/** Null: no setting of the admin client. */
export function clientConfig(key: string): ClientConfig | null {
  return Object.hasOwn(CLIENT_CONFIGS, key) ? (CLIENT_CONFIGS[key] ?? null) : null
}

export function clientConfigNames(): string[] {
  return Object.keys(CLIENT_CONFIGS)
}

const INTEGER_RANGES = { short: 2n ** 15n, int: 2n ** 31n, long: 2n ** 63n } as const

/**
 * What Kafka's ConfigDef would say against a trimmed value, or null. The value itself is not in the text.
 * Enumerations in Java letters: `true` in any case; integers with an optional sign.
 */
export function invalidValue(config: ClientConfig, value: string): string | null {
  if (config.oneOf !== undefined) {
    const found = config.oneOf.some((one) => one === value || (config.anyCase && one === value.toUpperCase()))
    return found ? null : `has to be one of ${config.oneOf.join(', ')}`
  }
  switch (config.type) {
    case 'boolean':
      return /^(?:true|false)$/i.test(value) ? null : 'has to be true or false'
    case 'short':
    case 'int':
    case 'long': {
      const half = INTEGER_RANGES[config.type]
      if (!/^[+-]?[0-9]{1,19}$/.test(value)) return 'has to be a whole number'
      const number = BigInt(value.replace('+', ''))
      if (number < -half || number >= half) return `is out of range for a number of type ${config.type}`
      return outOfBounds(config, Number(number))
    }
    case 'double':
      return /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?$/.test(value)
        ? outOfBounds(config, Number.parseFloat(value))
        : 'has to be a number'
    default:
      return null
  }
}

function outOfBounds({ min, max }: ClientConfig, number: number): string | null {
  if (min !== undefined && number < min) return `has to be at least ${min}`
  if (max !== undefined && number > max) return `has to be at most ${max}`
  return null
}
