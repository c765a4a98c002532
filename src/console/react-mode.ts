import { createRequire } from 'node:module'

// React and its reconciler each choose their build by NODE_ENV when they are loaded. The development build is slower, and its performance
// entries would fill the memory during a long night. A program imports this before anything of the console. If React is there already it is too
// late: two different builds draw nothing at all, so then the mode stays as it is. A value that somebody set is kept, too.
const require = createRequire(import.meta.url)
if (require.cache[require.resolve('react')] === undefined) process.env.NODE_ENV ??= 'production'
