import type { SubjectOfPage } from './contract.ts'
import { delivering } from './delivering.ts'
import { reconcile } from './reconcile.ts'

/** The daily mails of a page: sends the mails of each subscriber at its hour. */
export async function digest(ref: SubjectOfPage): Promise<void> {
  await reconcile('digest', ref, delivering('digest', ref))
}
