import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A maintenance until its end: sends reminders and, with automatic transitions, starts and completes on time. */
export async function maintenance(ref: ProcessRef): Promise<void> {
  await reconcile('maintenance', ref)
}
