/**
 * Puts text on the clipboard of the terminal's own machine, over SSH too: OSC 52 (xterm's ctlseqs), ended by BEL, which tmux and screen pass on where
 * they are told to (`set-clipboard on`). A terminal that does not know it ignores it.
 */
export function clipboardSequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`
}
