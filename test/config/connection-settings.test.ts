import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { clientConfig, clientConfigNames } from '../../src/config/client-configs.js'
import { connectionOf, problemsOf } from './command-configs.js'

const SCRAM = [
  'security.protocol=SASL_PLAINTEXT',
  'sasl.mechanism=SCRAM-SHA-256',
  'sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="geheim";',
]
const OAUTH = [
  'security.protocol=SASL_PLAINTEXT',
  'sasl.mechanism=OAUTHBEARER',
  'sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
  'sasl.oauthbearer.token.endpoint.url=https://login.example/token',
]
const oauthModule = (options: string) =>
  `sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ${options};`

describe('connection settings', () => {
  test('the table of settings is that of the admin client of 4.4.0, types included', () => {
    const measured = JSON.parse(
      readFileSync(new URL('./fixtures/admin-client-configs.json', import.meta.url), 'utf8'),
    ) as { name: string; type: string }[]
    expect(clientConfigNames().sort()).toEqual(measured.map(({ name }) => name).sort())
    for (const { name, type } of measured)
      expect(`${name} ${clientConfig(name)?.type}`).toBe(`${name} ${type.toLowerCase()}`)
  })

  test('every setting of security is honoured or refused by name, all at once', async () => {
    const refused = clientConfigNames().filter((name) => clientConfig(name)?.use.kind === 'refused')
    expect(refused).toEqual(
      expect.arrayContaining([
        'sasl.login.class',
        'sasl.client.callback.handler.class',
        'sasl.login.callback.handler.class',
        'ssl.engine.factory.class',
        'ssl.provider',
        'security.providers',
      ]),
    )
    const problems = await problemsOf(connectionOf(refused.map((name) => `${name}=com.example.Own`)))
    expect(problems.map((problem) => problem.split(': ')[1])).toEqual(refused)
  })

  test('values that mean nothing new are taken: defaults of Kafka written out', async () => {
    const { settings, warnings } = await connectionOf(['ssl.trustmanager.algorithm=PKIX', 'ssl.provider=', 'retries=5'])
    expect(settings.security).toEqual({ protocol: 'PLAINTEXT' })
    expect(warnings).toEqual([expect.stringContaining('without effect are ssl.trustmanager.algorithm, ssl.provider')])
  })

  test.each([
    ['request.timeout.ms=abc', 'abc has to be a whole number'],
    ['request.timeout.ms=0', '0 has to be at least 1'],
    ['request.timeout.ms=', 'the empty value has to be a whole number'],
    ['request.timeout.ms=3000000000', '3000000000 is out of range for a number of type int'],
    ['retries=5.0', '5.0 has to be a whole number'],
    ['enable.metrics.push=yes', 'yes has to be true or false'],
    ['sasl.login.refresh.window.jitter=0.5', '0.5 has to be at most 0.25'],
    ['security.protocol=TLS', 'TLS has to be one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL'],
    ['client.dns.lookup=x', 'x has to be one of use_all_dns_ips, resolve_canonical_bootstrap_servers_only'],
    ['bootstrap.servers=h', 'h: host:port is expected, as in broker1:9092 or [::1]:9092'],
  ])('%s is refused by name', async (line, text) => {
    expect(await problemsOf(connectionOf([line]))).toEqual([`client.properties:1: ${line.split('=')[0]}: ${text}`])
  })

  test('settings without meaning here are listed, typing errors in names of security are warned of', async () => {
    const { ignored, warnings } = await connectionOf([
      'group.id=g',
      'linger.ms=5',
      'retries=3',
      'ssl.truststore.locaton=x',
    ])
    expect(ignored).toEqual(['group.id', 'linger.ms', 'retries'])
    expect(warnings).toEqual([expect.stringContaining('ssl.truststore.locaton: is not a setting of Kafka')])
  })

  test('a login without security.protocol is plain text to Kafka: said', async () => {
    const { settings, warnings } = await connectionOf(SCRAM.slice(1))
    expect(settings.security).toEqual({ protocol: 'PLAINTEXT' })
    expect(warnings).toEqual([expect.stringContaining('is PLAINTEXT (its default): without effect are sasl.mechanism')])
  })

  test('a login is a secret, however it is printed', async () => {
    const { settings } = await connectionOf(SCRAM)
    expect(settings.security).toMatchObject({ sasl: { mechanism: 'SCRAM-SHA-256', username: 'u' } })
    for (const printed of [
      JSON.stringify(settings),
      inspect(settings, { depth: null, showHidden: true }),
      `${Object.values(settings.security)}`,
    ]) {
      expect(printed).not.toContain('geheim')
    }
  })

  test.each([
    ['AWS_MSK_IAM', 'AWS_MSK_IAM is not supported; supported: PLAIN, SCRAM-SHA-256'],
    ['plain', 'plain is not supported; supported: PLAIN'],
    ['', 'is not set, which means GSSAPI: not supported'],
  ])('sasl.mechanism=%s is refused, with what is supported', async (mechanism, text) => {
    const problems = await problemsOf(connectionOf(['security.protocol=SASL_SSL', `sasl.mechanism=${mechanism}`]))
    expect(problems).toEqual([expect.stringContaining(`sasl.mechanism: ${text}`)])
  })

  test.each([
    ['no login', '', 'is needed for this sasl.mechanism'],
    [
      'another login module',
      'com.sun.security.auth.module.Krb5LoginModule required;',
      'Krb5LoginModule is not supported here',
    ],
    [
      'no password',
      'org.apache.kafka.common.security.plain.PlainLoginModule required username=u;',
      'has no option password',
    ],
    [
      'a delegation token',
      'org.apache.kafka.common.security.scram.ScramLoginModule required username=u password=p tokenauth=true;',
      'tokenauth (delegation tokens) is not supported',
    ],
  ])('%s is refused', async (_name, jaas, text) => {
    const problems = await problemsOf(connectionOf([...SCRAM.slice(0, 2), `sasl.jaas.config=${jaas}`]))
    expect(problems).toEqual([expect.stringMatching(/: sasl\.jaas\.config: /)])
    expect(problems[0]).toContain(text)
  })

  test('OAUTHBEARER by client credentials: settings come before the options of the JAAS text', async () => {
    const { settings } = await connectionOf([
      ...OAUTH,
      oauthModule('clientId="a" clientSecret="geheim" scope="s" extension_traceId="t"'),
      'sasl.oauthbearer.client.credentials.client.id=b',
      'sasl.oauthbearer.header.urlencode=true',
      'sasl.login.read.timeout.ms=0',
    ])
    expect(settings.security).toMatchObject({
      sasl: {
        mechanism: 'OAUTHBEARER',
        tokenEndpointUrl: 'https://login.example/token',
        clientId: 'b',
        scope: 's',
        urlEncodeHeader: true,
        extensions: { traceId: 't' },
        readTimeoutMs: null,
        retryBackoffMs: 100,
      },
    })
  })

  test('OAUTHBEARER: everything that is missing or not supported is named at once', async () => {
    const problems = await problemsOf(
      connectionOf([
        ...OAUTH.slice(0, 2),
        oauthModule('unsecuredLoginStringClaim_sub="u" extension_auth="x"'),
        'sasl.oauthbearer.token.endpoint.url=file:///token',
        'sasl.oauthbearer.assertion.file=/x',
      ]),
    )
    const text = problems.join('\n')
    for (const part of [
      'unsecuredLoginStringClaim_sub',
      'extension_auth',
      'token.endpoint.url: has to be an http',
      'client.id',
      'client.secret',
      'assertion.file',
    ]) {
      expect(text).toContain(part)
    }
  })
})
