import type Conf from 'conf'

/** All that one process can be sent and listen to, and that conf's dependency listens to: a name that the system lacks has no listeners. */
const SIGNALS = [
  ...['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGALRM', 'SIGABRT', 'SIGVTALRM', 'SIGXCPU', 'SIGXFSZ', 'SIGUSR2', 'SIGTRAP'],
  ...['SIGSYS', 'SIGQUIT', 'SIGIOT', 'SIGIO', 'SIGPOLL', 'SIGPWR', 'SIGSTKFLT'],
]

let loading: Promise<typeof Conf> | null = null

/**
 * conf, loaded at the first use (it is slow), without the signal listeners that come with it: the module when-exit, which writes
 * files for it, listens from its import on to every signal and sends the process each one it hears a second time. A second SIGINT
 * means "at once" here, so a run that is to be ended in order would be cut short. Whoever started this program decides
 * what a signal does; on `exit` that module still removes its temporary files.
 */
export function loadConf(): Promise<typeof Conf> {
  loading ??= importWithoutSignals()
  return loading
}

async function importWithoutSignals(): Promise<typeof Conf> {
  const before = new Map(SIGNALS.map((signal) => [signal, new Set(process.rawListeners(signal))]))
  const { default: loaded } = await import('conf')
  for (const [signal, ours] of before) {
    for (const listener of process.rawListeners(signal)) {
      if (!ours.has(listener) && isFromWhenExit(listener)) process.off(signal, listener as () => void)
    }
  }
  return loaded
}

/** Beside it others may have begun to listen while it was loaded: what removes itself after the first time is when-exit's. */
function isFromWhenExit(listener: object): boolean {
  return 'listener' in listener
}
