import { heldBackOnPage } from '../../../persistence/beat-holds.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { ownerProcess } from '../definition/subject.ts'

/** Wakes, at the end of a suppression, the beats and groups of the page that have not acted on their stage. */
export async function wakeSuppressed({ tx, pageId, wake }: WorkContext, why: string): Promise<void> {
  for (const { kind, id } of await heldBackOnPage(tx, pageId)) wake(ownerProcess(kind, id), why)
}
