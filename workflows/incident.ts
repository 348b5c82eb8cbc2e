import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** An open incident: sends reminders at their interval until the resolution; reopening starts the workflow again. */
export async function incident(ref: SubjectOfPage): Promise<void> {
  await reconcile('incident', ref)
}
