import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readInputFile } from '../../../src/recovery/files/input-file.js'
import { checkNewFile, writeNewFile } from '../../../src/recovery/files/new-file.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-file-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('writing a new file', () => {
  test('it is whole, for its owner alone, and nothing else is left', async () => {
    const path = join(folder, 'plan.json')
    await checkNewFile(path)
    await writeNewFile(path, 'text')
    expect(await readFile(path, 'utf8')).toBe('text')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['plan.json'])
  })

  test.each(['file', 'dangling link'])('a %s that is there is never replaced', async (kind) => {
    const path = join(folder, 'plan.json')
    if (kind === 'file') await writeFile(path, 'old')
    else await symlink(join(folder, 'nowhere'), path)
    await expect(checkNewFile(path)).rejects.toThrow('exists already')
    await expect(writeNewFile(path, 'new')).rejects.toThrow('exists already')
    expect(await readdir(folder)).toEqual(['plan.json'])
    if (kind === 'file') expect(await readFile(path, 'utf8')).toBe('old')
  })

  test('a folder that is not there is said so', async () => {
    const path = join(folder, 'no', 'plan.json')
    await expect(checkNewFile(path)).rejects.toThrow('does not exist')
    await expect(writeNewFile(path, 'x')).rejects.toThrow('ENOENT')
  })

  test('where no file can be made is found out before anything slow is done', async () => {
    await writeFile(join(folder, 'file'), 'x')
    await expect(checkNewFile(join(folder, 'file', 'plan.json'))).rejects.toThrow('does not exist')
    await expect(checkNewFile('')).rejects.toThrow('is empty')
  })

  test('of two writers one wins', async () => {
    const path = join(folder, 'plan.json')
    const results = await Promise.allSettled(['a', 'b'].map((text) => writeNewFile(path, text)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await readFile(path, 'utf8')).toBe(results[0]?.status === 'fulfilled' ? 'a' : 'b')
  })
})

describe('reading a named file', () => {
  test('a directory and a missing file are said so', async () => {
    await expect(readInputFile(folder)).rejects.toThrow('is a directory')
    await expect(readInputFile(join(folder, 'none'))).rejects.toThrow('no such file')
  })

  test('an empty file is no bytes, a device without end is cut off', async () => {
    await writeFile(join(folder, 'empty'), '')
    expect(await readInputFile(join(folder, 'empty'))).toHaveLength(0)
    await expect(readInputFile('/dev/zero')).rejects.toThrow('larger than')
  })
})
