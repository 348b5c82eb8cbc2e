import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A beat, for its whole life: acts on each change of its stage, at the end of what held it back, and on silence. */
export async function beat(ref: ProcessRef): Promise<void> {
  await reconcile('beat', ref)
}
