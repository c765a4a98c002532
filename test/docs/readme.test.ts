import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]

/** The commands that documents show, in their order: lines of ```sh blocks. */
function commandsOf(document: string): string[] {
  const blocks = readFileSync(join(root, document), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)
  return [...blocks].flatMap(([, block = '']) => block.split('\n').map((line) => line.replace(/\s+#.*/, '').trim()))
}

const commands = documents.flatMap((document) =>
  commandsOf(document)
    .filter((line) => line.startsWith('node bin/'))
    .map((command) => ({ document, command })),
)
/** Run in a folder of the test's own: only the executables are looked for in the checkout. */
const inRoot = (command: string) => command.replace('node bin/', `node ${root}bin/`)

/** Run by .ci/run, or whole test runs that a test can not run again. */
const RUN_BY_CI = [
  'npm ci && npm run demo',
  'npm ci && npm test',
  'npm run test:long',
  'npm run test:ssh',
  'npm run test:kafka',
  'npm run bench',
  'bash .ci/run',
]

let folder: string
let simulator: RunningSimulator
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-test-'))
  simulator = await startSimulator(await loadNamedScenario('longest-is-not-best'), {})
})
afterAll(async () => {
  await simulator?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('every command that the documents show works as it stands', () => {
  it.each(commands)('$document: $command', async ({ command }) => {
    // Two commands want a person: a confirmation is given as scripts give it.
    const asked = / (elect|restore) /.test(command) && !command.includes('--dry-run')
    const { exitCode, stderr } = await execa('bash', ['-c', inRoot(asked ? `${command} --yes` : command)], {
      cwd: folder,
      env: { SERVERS: simulator.bootstrapServers, KAFKA_RECOVERY_HOME: join(folder, 'home') },
      reject: false,
      stdin: 'ignore',
    })
    expect(stderr).not.toMatch(/error|usage/i)
    // 1: something is left to the operator, which this scenario is about.
    expect([0, 1]).toContain(exitCode)
  })

  it('and the others are run by the check itself', () => {
    const others = documents
      .flatMap(commandsOf)
      .filter(
        (line) => line !== '' && !line.startsWith('#') && !line.startsWith('node bin/') && !line.startsWith('export '),
      )
    for (const command of others) expect(RUN_BY_CI).toContain(command)
  })

  it('every file that the documents name is there', () => {
    for (const document of documents) {
      const text = readFileSync(join(root, document), 'utf8')
      for (const [, named, shown] of text.matchAll(
        /`((?:docs|test|src|screenshots|\.ci)\/[A-Za-z0-9_./-]*)`|!\[[^\]]*\]\(([^)]*)\)/g,
      )) {
        const path = named ?? shown ?? ''
        expect(existsSync(join(root, path)), `${path}, named in ${document}`).toBe(true)
      }
    }
  })
})
