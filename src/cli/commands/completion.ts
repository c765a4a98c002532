import { bashCompletion } from '../completion/bash.js'
import { fishCompletion } from '../completion/fish.js'
import { wordsOf } from '../completion/words.js'
import { zshCompletion } from '../completion/zsh.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { kafkaRecovery } from '../programs/kafka-recovery.js'
import { kafkaUncleanRecovery } from '../programs/kafka-unclean-recovery.js'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** Completions of both executables, made from their definitions. The shell was checked by the definition's choices. */
export const completion: CommandHandler<object> = async (context, _options, [shell]) => {
  const definitions = [kafkaRecovery, kafkaUncleanRecovery].map((build) => wordsOf(build(context, () => {})))
  context.output.text(SHELLS[shell as keyof typeof SHELLS](definitions).trimEnd().split('\n'))
  return EXIT.done
}
