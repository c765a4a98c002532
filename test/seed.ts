import fc from 'fast-check'

/**
 * Properties draw the same examples in every run of `npm test`, so that a red run is one that the change made. FC_SEED draws
 * others: for hunting, by hand and in a night's run.
 */
const SEED = 20_261_129

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? SEED) })
