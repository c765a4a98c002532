// kafka-recovery as bin/ has it, of the files that tsc made: their classes can be reached by client-hook.mjs.
import { main } from '../../dist/cli/main.js'

await main('kafka-recovery', process.argv.slice(2))
