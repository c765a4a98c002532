import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets a heap grow to several times of what is alive before it cleans up: on a bastion host with little memory that is the
 * difference between 400 MB and 800 MB while the logs of 20,000 partitions are read (measured, docs/performance.md).
 * It may grow by half instead.
 */
export function keepMemoryLow(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
