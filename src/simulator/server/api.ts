import type { AnyRpc, RequestOf, ResponseInput, Rpc } from '../../protocol/schema/rpc.js'
import type { Controller } from '../controller/controller.js'
import type { ApiError } from '../errors.js'
import type { ClusterOperation, TopicOperation } from '../model/authorizer.js'
import type { SimulatedBroker } from '../model/broker.js'
import type { SimulatedCluster } from '../model/cluster.js'

export interface NamedPartition {
  readonly topic: string
  readonly partition: number
}

/** What a handler knows beside its request. */
export interface RequestContext {
  readonly cluster: SimulatedCluster
  readonly controller: Controller
  /** The broker that was asked. */
  readonly broker: SimulatedBroker
  readonly version: number
  /**
   * The error that a fault demands for this partition (or, -1, for the topic as a whole), or 29 where the topic operation that the
   * request needs is refused; 0: none.
   */
  faultFor(topic: string, partition: number): number
  /** At most so many partitions are served; null: no such fault. */
  readonly requestLimit: number | null
  /** Set by handlers that wait for more data, as a fetch does: the answer is held back so long, ms. */
  holdMs: number
}

/** An answer of whatever RPC: only its own handler makes it, and only its own codec takes it. */
export type AnyResponse = ResponseInput<AnyRpc>

/** One RPC as a simulated broker serves it. */
export interface Api {
  readonly rpc: AnyRpc
  /** Versions served and advertised. */
  readonly versions: readonly [min: number, max: number]
  /** Forwarded to the controller: without one it times out. */
  readonly forwarded: boolean
  /** Needed for the request as a whole (31), and for each topic that it names (29); null: none. */
  readonly needs: { readonly cluster: ClusterOperation | null; readonly topic: TopicOperation | null }
  handle(request: unknown, context: RequestContext): AnyResponse
  /** The answer that refuses the request as a whole, in the form that this RPC has for it. */
  refuse(request: unknown, error: ApiError): AnyResponse
  /** The partitions that the request names; null: it names none, or all. */
  named(request: unknown): readonly NamedPartition[] | null
}

/** Types one RPC's handler; the erased form goes into the table. */
export function api<R extends Rpc>(definition: {
  readonly rpc: R
  readonly versions?: readonly [min: number, max: number]
  readonly forwarded?: boolean
  readonly needs?: { readonly cluster?: ClusterOperation; readonly topic?: TopicOperation }
  handle(request: RequestOf<R>, context: RequestContext): ResponseInput<R>
  refuse(request: RequestOf<R>, error: ApiError): ResponseInput<R>
  named?(request: RequestOf<R>): readonly NamedPartition[] | null
}): Api {
  return {
    rpc: definition.rpc,
    versions: definition.versions ?? definition.rpc.versions,
    forwarded: definition.forwarded ?? false,
    needs: { cluster: definition.needs?.cluster ?? null, topic: definition.needs?.topic ?? null },
    handle: (request, context) => definition.handle(request as RequestOf<R>, context),
    refuse: (request, error) => definition.refuse(request as RequestOf<R>, error),
    named: (request) => definition.named?.(request as RequestOf<R>) ?? null,
  }
}
