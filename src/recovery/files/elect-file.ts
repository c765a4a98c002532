import type { RecoveryPlan } from '../planning/plan.js'
import { type NamedPartition, partitionsOf } from './partition-file.js'
import { isJsonObject, readStrictJson } from './strict-json.js'

/** What `elect --plan` accepts: a plan of ours with its evidence, or KIP-1275's plain list of designated leaders. */
export type ElectFile =
  | { readonly kind: 'plan'; readonly plan: RecoveryPlan }
  | {
      readonly kind: 'plain'
      readonly partitions: readonly (Omit<NamedPartition, 'path'> & { readonly designatedLeader: number })[]
      /** Fields that were passed over, each name once. */
      readonly extraFields: readonly string[]
    }

/** Reads a file for `elect --plan`; InputFileError for what is malformed. A planId makes it a plan. */
export async function parseElectFile(bytes: Uint8Array, file: string): Promise<ElectFile> {
  const document = readStrictJson(bytes, file)
  if (isJsonObject(document.value) && document.value.planId !== undefined) {
    // Whatever is wrong with the KIP's part is told in the same words as for a plain file.
    const { partitions } = document.value
    if (!Array.isArray(partitions) || partitions.length > 0) partitionsOf(document)
    // The schema library costs start-up time: only a plan with evidence needs it.
    const { planOf } = await import('./plan-file.js')
    return { kind: 'plan', plan: planOf(document) }
  }
  const { partitions, extraFields } = partitionsOf(document)
  return {
    kind: 'plain',
    extraFields,
    partitions: partitions.map((named, index) => {
      const { designatedLeader } = named
      if (designatedLeader !== null) return { ...named, designatedLeader }
      throw document.errorAt(
        ['partitions', index],
        'no "designatedLeader"; to have the leaders chosen, make a plan first: kafka-recovery plan --path-to-json-file',
      )
    }),
  }
}
