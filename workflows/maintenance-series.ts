import type { ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A series of maintenances: keeps as many months of its windows made ahead as it is to, until it is over. */
export async function maintenanceSeries(ref: ProcessRef): Promise<void> {
  await reconcile('series', ref)
}
