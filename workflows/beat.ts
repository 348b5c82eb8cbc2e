import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A beat until its deletion: acts on each transition, at the end of a suppression, and on a missed call. */
export async function beat(ref: SubjectOfPage): Promise<void> {
  await reconcile('beat', ref)
}
