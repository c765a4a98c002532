/** Names by the sequence's last letter: CSI letter, SS3 letter (xterm, VT220, rxvt, PuTTY). */
const BY_LETTER: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
}

/** Names by the number before `~`. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

/** What a key with a code point of its own is called (CSI code u, CSI 27;m;code ~). */
const BY_CODE: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'esc',
  32: 'space',
  127: 'backspace',
  8: 'backspace',
}

/** The key of `CSI parameters final`; null: no key that is known (mouse, focus, answers to questions). */
export function csiKey(parameters: string, final: string): string | null {
  const [first = '', second = '', third = ''] = parameters.split(';')
  if (final === 'Z') return 'shift+tab'
  if (final === '~') {
    if (first === '27') return codeKey(third, second)
    return modified(BY_NUMBER[first], second)
  }
  // rxvt: ctrl with a numbered key.
  if (final === '^') return modified(BY_NUMBER[first], '5')
  if (final === 'u') return codeKey(first, second)
  // rxvt: shift with an arrow.
  if (parameters === '' && /^[a-d]$/.test(final)) return modified(BY_LETTER[final.toUpperCase()], '2')
  return first === '' || first === '1' ? modified(BY_LETTER[final], second) : null
}

/** The key of `SS3 letter`. */
export function ss3Key(letter: string): string | null {
  if (letter === 'M') return 'enter'
  // rxvt: ctrl with an arrow.
  if (/^[a-d]$/.test(letter)) return modified(BY_LETTER[letter.toUpperCase()], '5')
  return BY_LETTER[letter] ?? null
}

/** `modifier` is xterm's: 1 and a sum of 1 shift, 2 alt, 4 ctrl, 8 meta; kitty adds `:event` behind it. */
function modified(name: string | undefined, modifier: string): string | null {
  if (name === undefined) return null
  const [bits = '', event = '1'] = modifier.split(':')
  // A key that is let go is none.
  if (event === '3') return null
  const sum = bits === '' ? 0 : Number(bits) - 1
  return `${sum & 4 ? 'ctrl+' : ''}${sum & 10 ? 'alt+' : ''}${sum & 1 ? 'shift+' : ''}${name}`
}

function codeKey(code: string, modifier: string): string | null {
  const point = Number(code.split(':')[0])
  if (!Number.isInteger(point) || point < 1 || point > 0x10ffff) return null
  const named = BY_CODE[point]
  if (named !== undefined) return modified(named, modifier)
  if (point < 0x20 || (point >= 0xd800 && point <= 0xdfff) || (point >= 0xe000 && point <= 0xf8ff)) return null
  const character = String.fromCodePoint(point)
  const key = modified(character, modifier)
  // Shift is told by the character itself.
  if (key === `shift+${character}`) return character.toUpperCase()
  return key
}
