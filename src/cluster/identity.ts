import { ErrorCode } from '../protocol/error-codes.js'
import { BROKER_RESOURCE, DescribeConfigs } from '../protocol/rpc/describe-configs.js'
import type { BrokerLink } from './connections.js'
import { readMetadata } from './read-metadata.js'

/**
 * Who is at the other end of a connection. Through tunnels and --broker-endpoint it may be another broker, or another cluster.
 * unconfirmed: the cluster is the right one, but we may not ask which broker it is (DESCRIBE_CONFIGS on the cluster).
 */
export type Identity =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'unconfirmed'; readonly text: string }
  | { readonly kind: 'wrong'; readonly text: string }

/**
 * DescribeConfigs of BROKER N is answered with error 42 by any other broker (measured); the cluster id comes by Metadata.
 * @throws TransportError
 */
export async function identify(
  link: BrokerLink,
  brokerId: number,
  clusterId: string,
  timeoutMs: number,
): Promise<Identity> {
  const [metadata, configs] = await Promise.all([
    readMetadata(link, [], timeoutMs),
    link.request(
      DescribeConfigs,
      {
        resources: [
          {
            resourceType: BROKER_RESOURCE,
            resourceName: String(brokerId),
            configurationKeys: ['broker.id', 'node.id'],
          },
        ],
      },
      { timeoutMs },
    ),
  ])
  if (metadata.clusterId !== clusterId) {
    return {
      kind: 'wrong',
      text: `what answers for broker ${brokerId} belongs to cluster ${metadata.clusterId}: check the tunnel or --broker-endpoint`,
    }
  }
  const result = configs.body.results[0]
  if (result?.errorCode === 0) return { kind: 'confirmed' }
  if (result?.errorCode === ErrorCode.INVALID_REQUEST) {
    return {
      kind: 'wrong',
      text: `what answers for broker ${brokerId} is another broker: check the tunnel or --broker-endpoint`,
    }
  }
  return {
    kind: 'unconfirmed',
    text: `who answers for broker ${brokerId} is not confirmed: that needs DescribeConfigs on the cluster`,
  }
}
