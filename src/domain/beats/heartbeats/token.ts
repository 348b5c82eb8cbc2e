import { LockMode } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat, type Schedule } from '../../../persistence/entities/heartbeat.ts'
import type { Context } from '../../kernel/context.ts'
import { keepSecret, useSecret } from '../../kernel/secrets.ts'
import { dueAfter, graceOf, isExpectedAlike } from './due.ts'
import { hashOf, newToken } from './secret.ts'

const secretNameOf = (beat: { id: number }) => `heartbeat:${beat.id}`

/**
 * A heartbeat is new, is to call at other times or is switched on again: from now on it is awaited. A beat that is no
 * heartbeat has nothing to begin. The address stays the same for its whole life.
 */
export async function beginHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  if (beat.type !== 'heartbeat') return
  const { tx, now } = ctx
  await tx.flush()
  const schedule = beat.target as Schedule
  // What was counted before belongs to other moments than those to come.
  const begun = { schedule, quiet: false, due_at: dueAfter(schedule, now), failures: 0, successes: 0 }
  const known = await tx.findOne(Heartbeat, { beat_id: beat.id }, lockedAndFresh)
  if (known) {
    Object.assign(known, begun)
    return
  }
  const token = newToken()
  const never = { last_call_at: null, last_call: null, started_at: null, duration_ms: null }
  tx.create(Heartbeat, { beat_id: beat.id, page_id: beat.page_id, token_hash: hashOf(token)!, ...begun, ...never })
  await keepSecret(ctx, ctx.keyring, secretNameOf(beat), token)
}

/** Its target is another. Where only the grace is, it is awaited at the same times as before, and the count goes on. */
export async function rescheduleHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  const schedule = beat.target as Schedule
  const known = await ctx.tx.findOne(Heartbeat, { beat_id: beat.id }, lockedAndFresh)
  if (!known || !isExpectedAlike(known.schedule, schedule)) {
    await beginHeartbeat(ctx, beat)
    return
  }
  known.due_at = new Date(known.due_at.getTime() + graceOf(schedule) - graceOf(known.schedule))
  known.schedule = schedule
  known.quiet = false
}

const lockedAndFresh = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** Before its beat is deleted, or becomes one of another type: whoever calls then is not known any more. */
export async function forgetHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  await ctx.tx.nativeDelete(Heartbeat, { beat_id: beat.id })
  await keepSecret(ctx, ctx.keyring, secretNameOf(beat), null)
}

/** Where the other side calls. Whoever knows this address can call, so it is for those who may change the beat. */
export async function heartbeatUrl(ctx: Context, beat: Beat): Promise<string | undefined> {
  if (beat.type !== 'heartbeat') return undefined
  const token = await useSecret(ctx, ctx.keyring, secretNameOf(beat))
  return token === null ? undefined : new URL(`/api/v1/heartbeats/${token}`, ctx.baseUrl).href
}
