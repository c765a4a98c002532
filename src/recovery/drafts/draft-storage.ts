import type { Draft } from './draft.js'

/** What was found of an earlier draft. damaged: what is in the file cannot be used, and is kept at `path` for a person to look at. */
export type LoadedDraft =
  | { readonly kind: 'none' }
  | { readonly kind: 'draft'; readonly draft: Draft; readonly savedAt: Date }
  | { readonly kind: 'damaged'; readonly path: string; readonly problem: string }

/** Keeps one draft for each cluster between connections. A port: where it lies is not the console's business. */
export interface DraftStorage {
  /** Never rejects for what is in the file; for what the system says (may not be read), it does. */
  load(clusterId: string): Promise<LoadedDraft>
  /** Replaces the earlier one, whole or not at all. A draft without entries is taken away. */
  save(draft: Draft, now: Date): Promise<void>
}
