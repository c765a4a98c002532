import type { ConsoleData } from '../console-data.js'

/** What writes or runs now, so that nothing else may begin: "stop of broker 1 runs". */
export function underWayText({ command, restore }: Pick<ConsoleData, 'command' | 'restore'>): string {
  if (command !== null && command.result === null) return `${command.name} of broker ${command.broker} runs`
  return restore?.kind === 'running' ? 'assignments are being put back' : 'a recovery is under way'
}
