import type { AnyRpc } from '../schema/rpc.js'
import { AlterPartitionReassignments } from './alter-partition-reassignments.js'
import { ApiVersions } from './api-versions.js'
import { DescribeCluster } from './describe-cluster.js'
import { DescribeConfigs } from './describe-configs.js'
import { DescribeLogDirs } from './describe-log-dirs.js'
import { DescribeQuorum } from './describe-quorum.js'
import { DescribeTopicPartitions } from './describe-topic-partitions.js'
import { ElectLeaders } from './elect-leaders.js'
import { Fetch } from './fetch.js'
import { GetReplicaLogInfo } from './get-replica-log-info.js'
import { IncrementalAlterConfigs } from './incremental-alter-configs.js'
import { ListOffsets } from './list-offsets.js'
import { ListPartitionReassignments } from './list-partition-reassignments.js'
import { Metadata } from './metadata.js'

/** Every RPC that this program speaks. */
export const ALL_RPCS: readonly AnyRpc[] = [
  AlterPartitionReassignments,
  ApiVersions,
  DescribeCluster,
  DescribeConfigs,
  DescribeLogDirs,
  DescribeQuorum,
  DescribeTopicPartitions,
  ElectLeaders,
  Fetch,
  GetReplicaLogInfo,
  IncrementalAlterConfigs,
  ListOffsets,
  ListPartitionReassignments,
  Metadata,
]
