import { LockMode } from '@mikro-orm/postgresql'
import type { Beat } from '../../persistence/entities/beat.ts'
import { Heartbeat } from '../../persistence/entities/heartbeat.ts'
import { observe } from '../beats/observe.ts'
import type { Scene } from '../kernel/scene.ts'
import { isAwaited } from './awaited.ts'
import { missed } from './due.ts'
import { verdict } from './verdict.ts'

/**
 * The first thing that the process of a beat looks at, under the beat's lock. Where a heartbeat was due and nobody has
 * called, the silence counts as a failure for each moment that has passed. Answers the moment to look again.
 */
export async function takeSilence(scene: Scene, beat: Beat): Promise<Date | null> {
  const { tx, now } = scene
  if (beat.type !== 'heartbeat' || !(await isAwaited(tx, beat))) return null
  // A call that came in time holds this lock, or has been here.
  const heartbeat = await tx.findOne(
    Heartbeat,
    { beat_id: beat.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!heartbeat || heartbeat.due_at > now) return heartbeat?.due_at ?? null
  const { due_at: due } = heartbeat
  const { count, next } = missed(heartbeat.schedule, due, now)
  Object.assign(heartbeat, { failures: heartbeat.failures + count, successes: 0, quiet: false, due_at: next })
  await observe(scene, beat.id, async (locked) =>
    verdict(locked, heartbeat, {
      // A grace that is made shorter may bring the same moment once more.
      key: `silence:${due.toISOString()}:${heartbeat.failures}`,
      cause: `silence at ${due.toISOString()}`,
      evidence: inWords(heartbeat, due, count),
    }),
  )
  await tx.flush()
  return next
}

function inWords({ last_call_at, last_call }: Heartbeat, due: Date, count: number): string {
  const last = last_call_at
    ? `the last (${last_call}) was at ${last_call_at.toISOString()}`
    : 'there has never been one'
  const more = count === 2 ? 'the due moment' : `the ${count - 1} due moments`
  const often = count > 1 ? `, nor at ${more} after that` : ''
  return `No call by ${due.toISOString()}${often}; ${last}.`
}
