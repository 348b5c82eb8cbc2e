import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** An item whose status was set by hand until a moment: ends that status at the moment. */
export async function item(ref: SubjectOfPage): Promise<void> {
  await reconcile('item', ref)
}
