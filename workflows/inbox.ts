import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** The inbox of an endpoint until its deletion: evaluates accepted events in order, and ends fingerprints at their silence. */
export async function inbox(ref: SubjectOfPage): Promise<void> {
  await reconcile('inbox', ref)
}
