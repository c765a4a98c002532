/** 1,204,331: as offsets are shown everywhere. */
export function count(offsets: number): string {
  return offsets.toLocaleString('en-US')
}

/** "broker 2", "brokers 2, 5 and 6". */
export function brokerList(brokers: readonly number[]): string {
  const last = brokers.at(-1)
  if (brokers.length < 2 || last === undefined) return `broker ${last ?? '(none)'}`
  return `brokers ${brokers.slice(0, -1).join(', ')} and ${last}`
}

/** "broker 2", "broker 2, 5 or 6": whichever of them. */
export function anyBroker(brokers: readonly number[]): string {
  const last = brokers.at(-1)
  return brokers.length < 2 ? brokerList(brokers) : `broker ${brokers.slice(0, -1).join(', ')} or ${last}`
}

/** `1 partition`, `1,200 partitions`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`
}

/** "1 offset", "361 offsets". */
export function offsetsText(offsets: number): string {
  return counted(offsets, 'offset')
}
