import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A maintenance until its end: sends reminders and, with automatic transitions, starts and completes on time. */
export async function maintenance(ref: SubjectOfPage): Promise<void> {
  await reconcile('maintenance', ref)
}
