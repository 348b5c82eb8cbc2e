import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** The tokens of an endpoint until its deletion: records the end of the grace period of each rotated token. */
export async function ingestToken(ref: SubjectOfPage): Promise<void> {
  await reconcile('ingest-token', ref)
}
