import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** Beats that are told of together: acts whenever the worst of them is better or worse, and when its mute ends. */
export async function beatGroup(ref: ProcessRef): Promise<void> {
  await reconcile('beat-group', ref)
}
