/**
 * Where an action is at home. `global`: everywhere; `list`: wherever a list has the cursor; else the id of a screen. A key means the action of the
 * screen first, then the list's, then the global one.
 */
export type Scope = 'global' | 'list' | (string & {})

/** Something that a key, or its name in the palette, does. Dispatch, help, palette and hints are all made from these. */
export interface Action<Context> {
  /** Unique: `plan.group`. */
  readonly id: string
  /** Canonical key names (key-event.ts); the first is the one that is shown. Empty: by the palette only. */
  readonly keys: readonly string[]
  /** What it does, in a few words: "plan this group". The name in the palette, too. */
  readonly label: string
  readonly scope: Scope
  /** Short words for the bottom line; none: not there. */
  readonly hint?: string
  /** Place in the bottom line, 0 first (100 if not given); what does not fit is left out from the end. */
  readonly hintOrder?: number
  /** What the palette wants after the name: `FILE`. */
  readonly argument?: string
  /** Not a name for the palette (moving the cursor). */
  readonly keysOnly?: boolean
  /** True, or why not: false says nothing and leaves the key to the next scope, text is shown to whoever presses it. */
  enabled?(context: Context): boolean | string
  /** `argument`: what stood after the name in the palette, else null. */
  run(context: Context, argument: string | null): void
}

export interface Registry<Context> {
  readonly actions: readonly Action<Context>[]
  /** What the key does now: an action; or why it does nothing; or null: it has no meaning here. */
  find(
    key: string,
    scopes: readonly Scope[],
    context: Context,
  ): { readonly action: Action<Context> } | { readonly refused: string } | null
  /** The actions of these scopes, as help shows them, scope by scope; one that cannot be done now is still told. */
  help(scopes: readonly Scope[]): readonly { readonly scope: Scope; readonly actions: readonly Action<Context>[] }[]
  /** The bottom line: what can be done now. */
  hints(scopes: readonly Scope[], context: Context): readonly Action<Context>[]
  /** Actions that a text in the palette may mean, best first, with what follows the name. */
  palette(
    text: string,
    scopes: readonly Scope[],
    context: Context,
  ): readonly { readonly action: Action<Context>; readonly argument: string | null }[]
}

/** Throws where two actions of one scope want the same key, or have the same id or name: a mistake of the program. */
export function createRegistry<Context>(actions: readonly Action<Context>[]): Registry<Context> {
  const ids = new Set<string>()
  const taken = new Map<string, Action<Context>>()
  for (const action of actions) {
    if (ids.has(action.id)) throw new Error(`two actions with the id ${action.id}`)
    ids.add(action.id)
    for (const key of action.keys) {
      const place = `${action.scope} ${key}`
      const other = taken.get(place)
      // One key may do one of several things, by what is enabled; then each must say when.
      if (other !== undefined && (other.enabled === undefined || action.enabled === undefined)) {
        throw new Error(`${key} means ${other.id} and ${action.id} in ${action.scope}`)
      }
      taken.set(place, action)
    }
  }
  const inScope = (scopes: readonly Scope[]) => scopes.flatMap((scope) => actions.filter((one) => one.scope === scope))
  const may = (action: Action<Context>, context: Context) => action.enabled?.(context) ?? true

  return {
    actions,
    find(key, scopes, context) {
      let refused: string | null = null
      for (const action of inScope(scopes)) {
        if (!action.keys.includes(key)) continue
        const answer = may(action, context)
        if (answer === true) return { action }
        if (answer !== false) refused ??= answer
      }
      return refused === null ? null : { refused }
    },
    help(scopes) {
      return scopes
        .map((scope) => ({ scope, actions: actions.filter((one) => one.scope === scope) }))
        .filter((group) => group.actions.length > 0)
    },
    hints(scopes, context) {
      const shadowed = new Set<string>()
      const shown = inScope(scopes).filter((action) => {
        if (may(action, context) !== true) return false
        const hidden = action.keys.length > 0 && action.keys.every((key) => shadowed.has(key))
        for (const key of action.keys) shadowed.add(key)
        return action.hint !== undefined && !hidden
      })
      return shown.sort((a, b) => (a.hintOrder ?? 100) - (b.hintOrder ?? 100))
    },
    palette(text, scopes, context) {
      const wanted = text.trim().toLowerCase()
      return inScope(scopes)
        .filter((action) => action.keysOnly !== true && may(action, context) !== false)
        .map((action) => match(action, wanted, text.trim()))
        .filter((found) => found !== null)
        .sort((a, b) => b.rank - a.rank)
        .map(({ action, argument }) => ({ action, argument }))
    },
  }
}

/** How a key is written on screen. */
export function keyLabel(key: string): string {
  return key.replace('ctrl+', 'ctrl-').replace('shift+', 'shift-').replace('alt+', 'alt-')
}

function match<Context>(
  action: Action<Context>,
  wanted: string,
  text: string,
): { readonly action: Action<Context>; readonly argument: string | null; readonly rank: number } | null {
  const label = action.label.toLowerCase()
  if (action.argument !== undefined && wanted.startsWith(`${label} `)) {
    return { action, argument: text.slice(label.length + 1).trim(), rank: 4 }
  }
  if (label === wanted) return { action, argument: null, rank: 3 }
  if (label.startsWith(wanted)) return { action, argument: null, rank: 2 }
  return wanted.split(/\s+/).every((word) => label.includes(word)) ? { action, argument: null, rank: 1 } : null
}
