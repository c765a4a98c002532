/**
 * So many partitions a writing request names at most. Controllers serve no more of a KIP-1275 request; Kafka limits no other. One
 * batch is also what a failure can leave half done, so that more would make one mistake larger.
 */
export const PARTITIONS_PER_WRITE = 1_000
