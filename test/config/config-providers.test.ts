import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolvePlaceholders } from '../../src/config/config-providers.js'
import { readJavaProperties } from '../../src/config/java-properties.js'
import { connectionOf, problemsOf, temporaryFolder } from './command-configs.js'

const PACKAGE = 'org.apache.kafka.common.config.provider'
const FILE = ['config.providers=file', `config.providers.file.class=${PACKAGE}.FileConfigProvider`]
const DIRECTORY = ['config.providers=dir', `config.providers.dir.class=${PACKAGE}.DirectoryConfigProvider`]
const ENV = ['config.providers=env', `config.providers.env.class=${PACKAGE}.EnvVarConfigProvider`]

function resolved(lines: readonly string[], workingDirectory = '/', env: Record<string, string> = {}) {
  const { entries, problems, warnings } = resolvePlaceholders(
    readJavaProperties(Buffer.from(lines.join('\n')), 'f'),
    'f',
    { env, workingDirectory },
  )
  return { value: entries.get('client.id')?.value, problems, warnings }
}

describe('config providers', () => {
  test('file: keys of a properties file, several in one value, by relative and absolute path', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 's.properties'), 'password=pw\nu= x y \n')
    const value = `client.id=a\${file:s.properties:password}b\${file:${folder}/s.properties:u}c`
    expect(resolved([...FILE, value], folder)).toEqual({ value: 'apwbx y c', problems: [], warnings: [] })
  })

  test('dir: the whole content of a file, a line end at its end included (with a warning)', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'pw'), ' geheim\n')
    const result = resolved([...DIRECTORY, `client.id=x\${dir:${folder}:pw}y`])
    expect(result.value).toBe('x geheim\ny')
    expect(result.warnings).toEqual([expect.stringContaining('ends in a line end')])
  })

  test('env: variables, within allowlist.pattern, which has to match the whole name', () => {
    const pattern = (text: string) => `config.providers.env.param.allowlist.pattern=${text}`
    const env = { KAFKA_PW: 'pw' }
    const value = `client.id=\${env:KAFKA_PW}`
    expect(resolved([...ENV, value], '/', env).value).toBe('pw')
    expect(resolved([...ENV, pattern('KAFKA_.*'), value], '/', env).value).toBe('pw')
    expect(resolved([...ENV, pattern('KAFKA'), value], '/', env).problems).toEqual([
      'f:4: client.id: provider env: variable KAFKA_PW is not in allowlist.pattern',
    ])
    expect(resolved([...ENV, pattern('(?i)kafka_pw'), value], '/', env).problems[0]).toMatch(
      /allowlist\.pattern: not a reg/,
    )
    expect(resolved([...ENV, value], '/', {}).problems).toEqual([
      'f:3: client.id: provider env: variable KAFKA_PW is not set in the environment',
    ])
  })

  test('allowed.paths is honoured, also against `..` and names that only begin alike', () => {
    const folder = temporaryFolder()
    for (const name of ['in', 'inside-not']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 's'), 'k=v')
    }
    const allowed = `config.providers.file.param.allowed.paths=${folder}/in`
    expect(resolved([...FILE, allowed, `client.id=\${file:${folder}/in/s:k}`]).value).toBe('v')
    for (const path of [`${folder}/inside-not/s`, `${folder}/in/../inside-not/s`, 'in/s']) {
      const { value, problems } = resolved([...FILE, allowed, `client.id=\${file:${path}:k}`], folder)
      expect(problems).toEqual([expect.stringMatching(/client\.id: provider file: .* is not under allowed\.paths$/)])
      expect(value).not.toBe('v')
    }
  })

  test.each([
    ['relative', 'in', 'each path must be absolute'],
    ['missing', '/nowhere/at/all', 'a path of the list does not exist'],
  ])('allowed.paths that are %s are refused', (_name, paths, text) => {
    const lines = [...FILE, `config.providers.file.param.allowed.paths=${paths}`, `client.id=\${file:x:y}`]
    expect(resolved(lines).problems).toEqual([
      `f:3: config.providers.file.param.allowed.paths: ${text} (provider file)`,
      'f:4: client.id: provider file cannot be used (see above)',
    ])
  })

  test('a provider that is not configured: setting and provider are named, the rest of the placeholder never', async () => {
    const problems = await problemsOf(
      connectionOf([`client.id=\${vault:geheim/path:geheim-key}`, 'request.timeout.ms=abc']),
    )
    expect(problems).toEqual([
      expect.stringMatching(
        /client\.properties:1: client\.id: provider vault is asked for, but config\.providers does not/,
      ),
      'client.properties:2: request.timeout.ms: abc has to be a whole number',
    ])
    expect(problems.join()).not.toContain('geheim')
  })

  test('what is no plain word in the place of a provider name may be a part of a password: not repeated', () => {
    const { problems } = resolved([`client.id=x\${ge heim!:y}`])
    expect(problems).toEqual([expect.stringContaining('a provider is asked for')])
  })

  test('an unknown class is refused by name', () => {
    const lines = ['config.providers=vault', 'config.providers.vault.class=com.example.Vault']
    expect(resolved(lines).problems).toEqual([
      expect.stringMatching(
        /^f:2: config\.providers\.vault\.class: provider vault: class com\.example\.Vault is not supp/,
      ),
    ])
  })

  test('a placeholder inside a provided value is not resolved again, and never sent', () => {
    const { problems } = resolved([...ENV, `client.id=\${env:A}`], '/', { A: `\${env:B}`, B: 'b' })
    expect(problems).toEqual([expect.stringContaining('holds a placeholder again')])
  })

  test('what a provider gave is never shown, whatever is wrong with it', async () => {
    const keys = ['bootstrap.servers', 'request.timeout.ms', 'security.protocol', 'ssl.provider', 'sasl.login.class']
    const lines = [...ENV, ...keys.map((key) => `${key}=\${env:A}`)]
    const problems = await problemsOf(connectionOf(lines, temporaryFolder(), { A: 'geheim' }))
    expect(problems.map((problem) => problem.split(': ')[1]).sort()).toEqual([...keys].sort())
    expect(problems.join()).not.toContain('geheim')
    const tls = ['security.protocol=SSL', 'ssl.cipher.suites', 'ssl.enabled.protocols', 'ssl.truststore.location']
    const more = await problemsOf(
      connectionOf(
        [...ENV, ...tls.map((line) => (line.includes('=') ? line : `${line}=\${env:A}`))],
        temporaryFolder(),
        {
          A: 'geheim',
        },
      ),
    )
    expect(more).toHaveLength(3)
    expect(more.join()).not.toContain('geheim')
  })

  test('either there is a problem, or no placeholder is left', () => {
    const part = fc.constantFrom(
      `\${`,
      '}',
      ':',
      'env',
      'A',
      'x',
      '$',
      '{',
      `\${env:A}`,
      `\${env::A}`,
      `\${env:p:A}`,
      `\${no:A}`,
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { value, problems } = resolved([...ENV, `client.id=${parts.join('')}`], '/', { A: 'v' })
        if (problems.length === 0) expect(value ?? '').not.toMatch(/\$\{[^}]*:[^}]*\}/)
      }),
    )
  })
})
