import type { Settings } from '../harness/server-properties.js'
import {
  OAUTH_CLIENT,
  PASSWORD,
  PLAIN_USER,
  passwordJaas,
  type SecuredCluster,
  STORE_PASSWORD,
  USER,
} from './secured-cluster.js'

// Client properties as people write them, for the listeners of a secured cluster.

export const pemTrust = ({ path }: SecuredCluster, file = 'ca.pem'): Settings => ({
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': path(file),
})

export const pemIdentity = ({ path }: SecuredCluster, file: string): Settings => ({
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': path(file),
})

export const store = (kind: 'truststore' | 'keystore', location: string, type: string): Settings => ({
  [`ssl.${kind}.location`]: location,
  [`ssl.${kind}.type`]: type,
  [`ssl.${kind}.password`]: STORE_PASSWORD,
})

export const tls = (settings: Settings): Settings => ({ 'security.protocol': 'SSL', ...settings })

export const byPassword = (
  mechanism: string,
  user = mechanism === 'PLAIN' ? PLAIN_USER : USER,
  password = PASSWORD,
): Settings => ({
  'security.protocol': 'SASL_PLAINTEXT',
  'sasl.mechanism': mechanism,
  'sasl.jaas.config': passwordJaas(mechanism, user, password),
})

export const byToken = ({ issuer }: SecuredCluster, more: Settings = {}): Settings => ({
  'security.protocol': 'SASL_PLAINTEXT',
  'sasl.mechanism': 'OAUTHBEARER',
  'sasl.jaas.config': 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ;',
  'sasl.login.callback.handler.class': 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
  'sasl.oauthbearer.token.endpoint.url': issuer.tokenUrl,
  'sasl.oauthbearer.client.credentials.client.id': OAUTH_CLIENT.id,
  'sasl.oauthbearer.client.credentials.client.secret': OAUTH_CLIENT.secret,
  ...more,
})

export const overTls = (settings: Settings, cluster: SecuredCluster): Settings => ({
  ...settings,
  ...pemTrust(cluster),
  'security.protocol': 'SASL_SSL',
})
