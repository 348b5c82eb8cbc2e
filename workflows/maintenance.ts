import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A maintenance that is not over: its reminders, and where it is to, its start and its completion on time. */
export async function maintenance(ref: ProcessRef): Promise<void> {
  await reconcile('maintenance', ref)
}
