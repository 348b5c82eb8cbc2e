import type { Orm } from '../../persistence/orm.ts'
import { pageRevision } from '../../persistence/page-revision.ts'
import {
  type Asked,
  endLease,
  findAnswer,
  leaseAnswer,
  makeRoom,
  type StoredAnswer,
  storeAnswer,
} from '../../persistence/shared-reads.ts'
import { inPageTransaction } from '../../persistence/transactions.ts'

export type { Asked }
export type FoundAnswer = StoredAnswer & { age_ms: number }

export interface Bounds {
  youngerThanMs: number
  /** The last change in this process. An answer must have been begun later, because a revision does not show every change. */
  changedAt: number
}

/** This process makes the answer for all, until the lease ends. */
export interface Lease {
  lease: string
}

/**
 * An answer to the public that shows the present state of its page, or the lease to make the answer. `full`: the page has no room
 * for another answer. Undefined while another process makes the answer.
 */
export function findOrLease(
  app: Orm,
  asked: Asked,
  { youngerThanMs, changedAt }: Bounds,
): Promise<FoundAnswer | Lease | 'full' | undefined> {
  return inPageTransaction(app, asked.pageId, async (tx) => {
    const oldestMs = Math.min(youngerThanMs, performance.now() - changedAt)
    const row = await findAnswer(tx, asked)
    if (row?.is_awaited) return undefined
    const isYoung = row?.made_at && row.age_ms < oldestMs
    if (isYoung && row.revision === (await pageRevision(tx, asked.pageId))) return row
    if (!row && !(await makeRoom(tx, asked.pageId))) return 'full'
    const lease = await leaseAnswer(tx, asked, row?.made_at ?? null)
    return lease === undefined ? undefined : { lease }
  })
}

/** Ends the lease, with an answer for all if there is one. */
export function endWith(app: Orm, asked: Asked, { lease }: Lease, answer?: StoredAnswer): Promise<void> {
  return inPageTransaction(app, asked.pageId, (tx) =>
    answer ? storeAnswer(tx, asked, lease, answer) : endLease(tx, asked, lease),
  )
}
