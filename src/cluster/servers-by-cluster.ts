import { type BrokerAddress, formatAddress } from '../protocol/transport/address.js'
import { RequestFailedError } from './cluster.js'

/**
 * Which cluster each server of the bootstrap list, and each --broker-endpoint, belongs to, as far as they have answered. A list that
 * mixes two clusters (an old address, a tunnel that was moved) is worked with whichever answers first: that has to show when it is
 * read, and nothing may be written then.
 */
export class ServersByCluster {
  readonly #told = new Map<string, string>()
  readonly #asking = new Map<string, Promise<void>>()

  /**
   * Notes what a server tells; asked once as long as it has answered, or is being asked. What fails is not told, and can be asked again.
   * @param ask the id of its cluster
   */
  asked(address: BrokerAddress, ask: () => Promise<string>): Promise<void> {
    const name = formatAddress(address)
    if (this.#told.has(name)) return Promise.resolve()
    const known = this.#asking.get(name)
    if (known !== undefined) return known
    const asking = ask()
      .then(
        (clusterId) => void this.#told.set(name, clusterId),
        () => {},
      )
      .finally(() => this.#asking.delete(name))
    this.#asking.set(name, asking)
    return asking
  }

  /** Waits until all that are being asked have answered or failed, but no longer than `timeMs`. */
  async heard(timeMs: number): Promise<void> {
    if (this.#asking.size === 0) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeMs)
    })
    await Promise.race([Promise.all(this.#asking.values()), late])
    clearTimeout(timer)
  }

  /** One line that names every cluster with its servers; null: all that have answered are of this one. */
  mixture(clusterId: string): string | null {
    const clusters = new Map<string, string[]>([[clusterId, []]])
    for (const [server, id] of this.#told) clusters.set(id, [...(clusters.get(id) ?? []), server])
    if (clusters.size === 1) return null
    const parts = [...clusters].map(([id, servers]) => `${id} (${servers.sort().join(', ') || 'others'})`)
    return `the servers that were named belong to more than one cluster: ${parts.join(' and ')}`
  }
}

/** The servers that were named belong to more than one cluster: nothing is written. Never sent anything. */
export class MixedClustersError extends RequestFailedError {
  override readonly name = 'MixedClustersError'
  constructor(mixture: string) {
    super(
      `${mixture}; nothing was sent: name servers of one cluster in --bootstrap-server and --broker-endpoint`,
      false,
      'mixedClusters',
      false,
    )
  }
}
