import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** An item whose status was set by hand for a time: it ends when that time has come. */
export async function item(ref: ProcessRef): Promise<void> {
  await reconcile('item', ref)
}
