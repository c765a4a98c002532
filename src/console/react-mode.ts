import { createRequire } from 'node:module'

// React and its reconciler each choose their build by NODE_ENV when they are loaded. The development build is slower, and its performance
// entries would fill the memory during a long night. A program imports this before anything of the console. If React is there already it is too
// late: two different builds draw nothing at all, so then the mode stays as it is. A value that somebody set is kept, too. Being in the cache is
// not being there: Node puts what a file imports into it before the first line of anything runs (measured, 20.20).
// In the bundle this file is empty: build/bundle.mjs has chosen the fast build once for all.
const require = createRequire(import.meta.url)
if (require.cache[require.resolve('react')]?.loaded !== true) process.env.NODE_ENV ??= 'production'
