/** What can be asked of a running simulator, as words; each is one event of a scenario file, now. Data alone: the help is made from it at every start. */
export const CONTROL_ACTIONS = [
  { name: 'fail-dir', takes: ['BROKER', 'PATH'], does: 'the log directory fails while its broker runs' },
  {
    name: 'replace-dir',
    takes: ['BROKER', 'PATH'],
    does: 'an empty disk takes its place; a broker that runs is restarted for it, one that is down stays down',
  },
  {
    name: 'remove-dir',
    takes: ['BROKER', 'PATH'],
    does: 'it is taken out of log.dirs; a broker that runs is restarted for it, one that is down stays down',
  },
  { name: 'stop-broker', takes: ['BROKER'], does: 'a controlled shutdown (SIGTERM)' },
  { name: 'kill-broker', takes: ['BROKER'], does: 'without a shutdown (SIGKILL), and noticed at once' },
  { name: 'start-broker', takes: ['BROKER'], does: 'it is started and unfenced' },
  { name: 'fence-broker', takes: ['BROKER'], does: 'it runs, and the controller does not hear it' },
  { name: 'append', takes: ['TOPIC', 'PARTITION', 'RECORDS'], does: "so many records go to the leader's log" },
  { name: 'event', takes: ['JSON'], does: 'any event of a scenario file, without its afterMs' },
] as const

export type ControlActionName = (typeof CONTROL_ACTIONS)[number]['name']
