import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** The answer to one message for the agent, unless the API process that stored the message has answered already. */
export async function delegation(ref: SubjectOfPage): Promise<void> {
  await reconcile('delegation', ref)
}
