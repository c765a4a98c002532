/**
 * A key as the program knows it, whatever bytes the terminal sends for it.
 *
 * `key` is its canonical name: a printable character stands for itself (`j`, `G`, `/`), others have a name (`up`, `pagedown`, `enter`,
 * `esc`, `tab`, `space`, `backspace`, `delete`, `home`, `end`, `insert`, `f1`...), with `ctrl+`, `alt+`, `shift+` before it, in that order
 * (`ctrl+r`, `shift+down`). `text` is what it types into a line; empty for the others.
 */
export interface KeyEvent {
  readonly type: 'key'
  readonly key: string
  readonly text: string
}

/** Text that came by bracketed paste: one event, however long, and never keys. Line ends are `\n`; longer pastes are cut at 64 Ki characters. */
export interface PasteEvent {
  readonly type: 'paste'
  readonly text: string
}

export type InputEvent = KeyEvent | PasteEvent
