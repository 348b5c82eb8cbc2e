import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** An open incident: reminders at their interval until it is resolved; reopening starts it again. */
export async function incident(ref: ProcessRef): Promise<void> {
  await reconcile('incident', ref)
}
