// Second half of `npm run build`: one file for each part of the program that is loaded on its own, out of what tsc made of it and of its dependencies.
// Node 20 keeps no compiled code, and finding, opening and compiling some 500 small files is a fifth of the time of `status`, and half of the console's until its first frame (docs/performance.md).
// A dynamic import stays one, so what a command does not need is still not loaded.
//   node build/bundle.mjs [dist folder]
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const dist = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)))
const folder = join(dist, 'bundle')

// What a program asks of its environment when it starts, and a bundle knows beforehand, by the file that asks.
const SETTLED = new Map([
  // React's fast build: NODE_ENV is replaced below, and only that build is in the bundle.
  ['/console/react-mode.js', 'export {}'],
  // With DEV=true Ink would look for React's developer tools, and for a package.json beside itself.
  ['/ink/build/utils.js', 'export const isDev = () => false'],
  ['/ink/build/devtools.js', 'export {}'],
])
const unused = new Set(SETTLED.keys())

const { output } = await build({
  input: join(dist, 'cli/main.js'),
  platform: 'node',
  // jsonc-parser's `main` requires its parts in a way that no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
  transform: {
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"' },
  },
  plugins: [
    {
      name: 'settled-while-building',
      load(id) {
        const path = [...SETTLED.keys()].find((end) => id.endsWith(end))
        if (path === undefined) return null
        unused.delete(path)
        return SETTLED.get(path)
      },
    },
  ],
  output: {
    dir: folder,
    format: 'esm',
    // version.js looks for package.json two folders above itself: no folders in here.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Errors are told apart by the names of their classes, too.
    keepNames: true,
  },
  // An import that leads nowhere is only a warning, and would be found by the first who runs into it.
  onLog(_level, { message }) {
    throw new Error(`the bundle is not made: ${message}`)
  },
})

if (unused.size > 0) throw new Error(`the bundle has no ${[...unused].join(' and no ')}: another version?`)

// Last, and of other builds alone: a program that is running may still have parts to load.
const made = new Set(output.map(({ fileName }) => fileName))
for (const name of await readdir(folder)) if (!made.has(name)) await rm(join(folder, name), { recursive: true })
