/**
 * Puts a text into the clipboard of the operator's own terminal, through SSH too: OSC 52 (xterm), ended by BEL, which
 * tmux passes on where it is told to (`set-clipboard on`). Terminals and tmux may refuse it, silently: so the
 * text must be on the screen as well.
 */
export function copySequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`
}
