import { ownersWithOutdatedActions } from '../../../persistence/outdated-actions.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { ownerProcess } from '../definition/subject.ts'

/** Wakes, at the end of a suppression, the beats and groups of the page that have not acted on their stage. */
export async function wakeSuppressed({ tx, pageId, wake }: WorkContext, why: string): Promise<void> {
  for (const { kind, id } of await ownersWithOutdatedActions(tx, pageId)) wake(ownerProcess(kind, id), why)
}
