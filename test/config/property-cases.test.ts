import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ResolvedConnection, resolveConnection } from '../../src/config/resolve-connection.js'
import type { SaslSettings } from '../../src/config/sasl-settings.js'
import { CASES, problemsOf, temporaryFolder } from './command-configs.js'

const connect = (name: string, workingDirectory = CASES, bootstrapServer: string | null = 'h:1') =>
  resolveConnection(
    {
      ...(bootstrapServer === null ? {} : { bootstrapServer }),
      commandConfigFile: join(CASES, `${name}.properties`),
      brokerEndpoints: [],
      readOnly: false,
    },
    { env: {}, workingDirectory },
  )

/** With the password in the clear, to compare. */
function login({ settings }: ResolvedConnection): unknown {
  const sasl: SaslSettings | null = 'sasl' in settings.security ? settings.security.sasl : null
  if (sasl === null || sasl.mechanism === 'OAUTHBEARER') return sasl
  return { ...sasl, password: sasl.password.reveal() }
}

/** The outcomes of cases/README.md; a file without one fails the last test. */
const OUTCOMES: Record<string, () => Promise<void>> = {
  'scram-multi-line-jaas': async () => {
    const connection = await connect('scram-multi-line-jaas', CASES, null)
    expect(login(connection)).toEqual({ mechanism: 'SCRAM-SHA-512', username: 'svc-recovery', password: 'p,w=d"x;y' })
    expect(connection.settings.security.protocol).toBe('SASL_SSL')
    expect(connection.settings.bootstrapServers).toEqual([{ host: '127.0.0.1', port: 9092 }])
  },
  'crlf-and-unicode': async () => {
    const connection = await connect('crlf-and-unicode')
    expect(login(connection)).toEqual({ mechanism: 'PLAIN', username: 'ops', password: 's3crét' })
    expect(connection.settings.clientId).toBe('café')
  },
  'backslash-then-space': async () => {
    const { settings, warnings } = await connect('backslash-then-space')
    expect(settings.clientId).toBe('a')
    expect(settings.requestTimeoutMs).toBe(5000)
    expect(warnings).toEqual([
      expect.stringMatching(/backslash-then-space\.properties:1: the backslash .* does not continue/),
    ])
  },
  bom: async () => {
    const { settings, ignored } = await connect('bom')
    expect(settings).toMatchObject({ clientId: 'x', security: { protocol: 'PLAINTEXT' } })
    expect(ignored).toEqual([])
  },
  'space-separated-and-empty': async () => {
    // These two certificates are not real.
    const problems = await problemsOf(connect('space-separated-and-empty'))
    expect(problems).toEqual([
      expect.stringMatching(/:4: ssl\.truststore\.certificates: certificate 1 is not an X\.509/),
    ])
  },
  gssapi: async () => {
    const problems = await problemsOf(connect('gssapi'))
    expect(problems[0]).toMatch(
      /gssapi\.properties:2: sasl\.mechanism: GSSAPI is not supported; supported: PLAIN, SCRAM/,
    )
    expect(problems[1]).toMatch(/sasl\.kerberos\.service\.name/)
  },
  'file-provider': async () => {
    expect(login(await connect('file-provider'))).toEqual({
      mechanism: 'PLAIN',
      username: 'ops',
      password: 'from-the-file',
    })
    // Relative to the working directory, as in Java, not to the file that holds the placeholder.
    const [problem, ...others] = await problemsOf(connect('file-provider', temporaryFolder()))
    expect(problem).toMatch(/:5: sasl\.jaas\.config: provider file: file secret\.properties does not exist$/)
    expect(others).toEqual([])
    const folder = temporaryFolder()
    copyFileSync(join(CASES, 'bom.properties'), join(folder, 'secret.properties'))
    expect(await problemsOf(connect('file-provider', folder))).toEqual([
      expect.stringMatching(/sasl\.jaas\.config: provider file: secret\.properties has no key password$/),
    ])
  },
  secret: async () => {
    // No client config, but read as one it says nothing.
    expect((await connect('secret')).ignored).toEqual(['password'])
  },
  utf16: async () => {
    expect(await problemsOf(connect('utf16'))).toEqual([expect.stringMatching(/utf16\.properties: not UTF-8/)])
  },
  'unquoted-at-in-jaas': async () => {
    const [problem, ...others] = await problemsOf(connect('unquoted-at-in-jaas'))
    expect(problem).toMatch(/:3: sasl\.jaas\.config: .*quote the value/)
    expect(problem).not.toMatch(/p@ss|@ss|\bss\b/)
    expect(others).toEqual([])
  },
  'jaas-quote-lost': async () => {
    const [problem, ...others] = await problemsOf(connect('jaas-quote-lost'))
    expect(problem).toMatch(/:3: sasl\.jaas\.config: .*a quote is not closed.*\\\\"/)
    expect(others).toEqual([])
  },
}

describe('cases/properties', () => {
  test.each(readdirSync(CASES).map((file) => file.replace(/\.properties$/, '')))('%s', async (name) => {
    await OUTCOMES[name]!()
  })
})
