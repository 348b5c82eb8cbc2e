import { heldBackOnPage } from '../../../persistence/beat-holds.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { ownerProcess } from '../definition/subject.ts'

/** What held items does so no more: those who have not acted on the stage that they are in look again. */
export async function wakeSuppressed({ tx, pageId, wake }: WorkContext, why: string): Promise<void> {
  for (const { kind, id } of await heldBackOnPage(tx, pageId)) wake(ownerProcess(kind, id), why)
}
