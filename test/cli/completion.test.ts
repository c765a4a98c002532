import { writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownFolder, recovery } from './harness.js'

const folder = ownFolder()

/** What bash offers for a command line whose last word is being typed. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(' ')
  const program = words[0]?.replaceAll('-', '_')
  const script = `source "$1"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _${program}; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await execa('bash', ['--norc', '-uc', script, 'bash', folder.path('completion.bash')], {
    cwd: folder.path(''),
  })
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash completion, sourced', () => {
  beforeAll(async () => {
    const ran = await recovery('completion', 'bash')
    expect(ran).toMatchObject({ exit: 0, stderr: '' })
    await writeFile(folder.path('completion.bash'), ran.stdout)
    await writeFile(folder.path('a plan.json'), '')
  })

  test.each<[string, string[]]>([
    ['kafka-recovery st', ['status']],
    ['kafka-recovery status --until', ['--until-healthy']],
    ['kafka-recovery plan --strategy ', ['rank', 'longest-log']],
    ['kafka-recovery profiles re', ['remove']],
    ['kafka-recovery completion z', ['zsh']],
    ['kafka-recovery elect --plan a', ['a plan.json']],
    ['kafka-unclean-recovery --show', ['--show-replica-info']],
    ['kafka-unclean-recovery --election-method un', ['unclean']],
    ['kafka-recovery status --profile x', []],
  ])('%s', async (line, words) => {
    expect(await offered(line)).toEqual(words)
  })

  test('every command of the help is offered', async () => {
    const commands = await offered('kafka-recovery ')
    for (const name of ['status', 'replicas', 'plan', 'elect', 'log-dirs', 'check', 'restore', 'simulate', 'demo']) {
      expect(commands).toContain(name)
    }
  })
})

test.each(['zsh', 'fish'])('%s completions name every command and both programs', async (shell) => {
  const { exit, stdout } = await recovery('completion', shell)
  expect(exit).toBe(0)
  for (const word of ['kafka-recovery', 'kafka-unclean-recovery', 'log-dirs', 'all-offline-partitions']) {
    expect(stdout).toContain(word)
  }
})
