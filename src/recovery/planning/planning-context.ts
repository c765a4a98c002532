import type { BrokerState, TopicConfig } from '../../cluster/snapshot.js'
import type { AcceptableCode, Strategy } from './plan.js'

/** All that planning one partition depends on beside its evidence. */
export interface PlanningContext {
  /** designated: KIP-1275's election obeys. stock: reorder or unclean for each partition. unclean: forced, order as it is. */
  readonly elections: 'designated' | 'stock' | 'unclean'
  readonly strategy: Strategy
  readonly brokers: ReadonlyMap<number, BrokerState>
  /** Codes that the operator overrules for every partition. */
  readonly accepted: ReadonlySet<AcceptableCode>
  /** partitionName of partitions with a reassignment under way. */
  readonly reassigning: ReadonlySet<string>
  readonly topicConfigs: ReadonlyMap<string, TopicConfig>
  readonly internalTopics: ReadonlySet<string>
}
