import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A series of maintenances: creates its maintenances `generate_months` ahead, until the series ends. */
export async function maintenanceSeries(ref: SubjectOfPage): Promise<void> {
  await reconcile('series', ref)
}
