import type { ConnectionSettings } from '../config/connection-settings.js'
import type { SaslSettings } from '../config/sasl-settings.js'
import { tlsConnectionOptions } from '../config/tls-settings.js'
import type { Exchange, SaslLogin } from '../protocol/transport/settings.js'
import { clientCredentialsTokens } from './oauth-token.js'
import type { SessionOptions } from './session.js'

/** GetReplicaLogInfo in the development branch of 2025; it was in no release (kafka-facts). */
const REPLICA_LOG_INFO_API_KEY = 93

export interface ConnectOptions {
  /** Called after each exchange: for --verbose and counters. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** What configuration says, as the connections take it: the one place where secrets are revealed to the transport. */
export function sessionOptions(settings: ConnectionSettings, { onExchange }: ConnectOptions = {}): SessionOptions {
  const { security } = settings
  return {
    bootstrapServers: settings.bootstrapServers,
    endpoints: settings.brokerEndpoints,
    requestTimeoutMs: settings.requestTimeoutMs,
    replicaLogInfoApiKey: settings.replicaLogInfoApiKey ?? REPLICA_LOG_INFO_API_KEY,
    transport: {
      clientId: settings.clientId,
      tls: 'tls' in security ? tlsConnectionOptions(security.tls) : null,
      sasl: 'sasl' in security ? login(security.sasl) : null,
      readOnly: settings.readOnly,
      ...(onExchange === undefined ? {} : { onExchange }),
    },
  }
}

function login(sasl: SaslSettings): SaslLogin {
  if (sasl.mechanism === 'OAUTHBEARER') {
    return { mechanism: 'OAUTHBEARER', token: clientCredentialsTokens(sasl) }
  }
  return { mechanism: sasl.mechanism, username: sasl.username, password: sasl.password.reveal() }
}
