import { heldBackOnPage } from '../../persistence/beat-holds.ts'
import type { Scene } from '../kernel/scene.ts'
import { ownerProcess } from './subject.ts'

/** What held items does so no more: those who have not acted on the stage that they are in look again. */
export async function wakeHeldBack({ tx, pageId, wake }: Scene, why: string): Promise<void> {
  for (const { kind, id } of await heldBackOnPage(tx, pageId)) wake(ownerProcess(kind, id), why)
}
