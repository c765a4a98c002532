import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../src/folders/make-folder.js'

const root = mkdtempSync(join(tmpdir(), 'make-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const modeOf = (path: string) => statSync(path).mode & 0o777

test('makes what is missing, for its owner alone, and leaves what is there as it is', () => {
  mkdirSync(join(root, 'open'), { mode: 0o755 })
  makeFolder(join(root, 'open', 'a', 'b'))
  expect([join(root, 'open', 'a'), join(root, 'open', 'a', 'b')].map(modeOf)).toEqual([0o700, 0o700])
  expect(modeOf(join(root, 'open'))).toBe(0o755)
  makeFolder(join(root, 'open'))
  symlinkSync(join(root, 'open'), join(root, 'link'))
  makeFolder(join(root, 'link', 'c'))
  expect(modeOf(join(root, 'open', 'c'))).toBe(0o700)
})

test('where it cannot be, it says so, and returns: also below /proc, where the kernel calls a part of the path missing', () => {
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
  for (const path of [
    '/proc/x',
    '/proc/x/y/z',
    join(root, 'file'),
    join(root, 'file', 'x'),
    '/dev/full/x',
    join(root, 'dangling'),
  ]) {
    expect(() => makeFolder(path), path).toThrow(/^(ENOENT|ENOTDIR|EACCES|EEXIST)/)
  }
})
