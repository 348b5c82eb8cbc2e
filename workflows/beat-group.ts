import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A group of beats: acts when the worst stage of its members changes, and when its mute ends. */
export async function beatGroup(ref: SubjectOfPage): Promise<void> {
  await reconcile('beat-group', ref)
}
