import { z } from 'zod'

/**
 * How a running simulator is told what shall happen: over TCP on loopback, one line of JSON for each request, one for each answer, in order. A
 * request is the list of words (`["fail-dir","1","/data/a"]`): so a path with spaces needs no quoting of its own.
 */
export const controlRequest = z.array(z.string()).min(1)

/** done: it has happened, ports and metadata are so. Else why not, in one line. */
export const controlAnswer = z.union([z.strictObject({ done: z.literal(true) }), z.strictObject({ error: z.string() })])
export type ControlAnswer = z.output<typeof controlAnswer>

/** Longer lines are refused: nobody has so much to say. bytes */
export const MAX_LINE_BYTES = 64 * 1024
