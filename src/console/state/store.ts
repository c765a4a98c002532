/** A value that changes, in the form of React's useSyncExternalStore. */
export interface Store<State> {
  get(): State
  subscribe(listener: () => void): () => void
  /**
   * Replaces the value. `now`: listeners hear of it at once (a key). `soon`: at most 15 times a second, several changes as one (data): the value
   * itself is new at once, only rendering waits.
   */
  set(next: State, when: 'now' | 'soon'): void
  close(): void
}

export function createStore<State>(initial: State, interval: number = 1000 / 15): Store<State> {
  let value = initial
  let timer: NodeJS.Timeout | null = null
  let lastTold = Number.NEGATIVE_INFINITY
  const listeners = new Set<() => void>()

  function tell(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    lastTold = performance.now()
    for (const listener of [...listeners]) listener()
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next, when) {
      if (Object.is(next, value)) return
      value = next
      const wait = when === 'now' ? 0 : lastTold + interval - performance.now()
      if (wait <= 0) tell()
      else timer ??= setTimeout(tell, wait)
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      listeners.clear()
    },
  }
}
