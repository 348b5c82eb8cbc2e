import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../persistence/entities/beat.ts'
import type { StepContext, StepResult } from '../kernel/step.ts'

/** What a beat's process does when it looks. */
export async function beatStep({ tx, id }: StepContext): Promise<StepResult> {
  const beat = await tx.findOne(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!beat) return { done: true, says: 'nothing: the beat was deleted' }
  return { done: false, says: 'a change of its stage' }
}
