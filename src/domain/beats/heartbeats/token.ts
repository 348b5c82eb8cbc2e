import { LockMode } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat, type Schedule } from '../../../persistence/entities/heartbeat.ts'
import type { Context } from '../../kernel/context.ts'
import { keepSecret, useSecret } from '../../kernel/secrets.ts'
import { takesCalls } from '../types/index.ts'
import { dueAfter, graceOf, haveSameMoments } from './due.ts'
import { hashOf, newToken } from './secret.ts'

const secretNameOf = (beat: { id: number }) => `heartbeat:${beat.id}`

/**
 * Called for a new heartbeat, after a change of its schedule, or when it is enabled again: calls are due from now on. Does
 * nothing for beats of other types. The address of a heartbeat never changes.
 */
export async function beginHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  if (!takesCalls(beat.type)) return
  const { tx, now } = ctx
  await tx.flush()
  const schedule = beat.target as Schedule
  // The counted failures and successes belong to earlier due moments.
  const initial = { schedule, quiet: false, due_at: dueAfter(schedule, now), failures: 0, successes: 0 }
  const known = await tx.findOne(Heartbeat, { beat_id: beat.id }, lockedAndFresh)
  if (known) {
    Object.assign(known, initial)
    return
  }
  const token = newToken()
  const never = { last_call_at: null, last_call: null, started_at: null, duration_ms: null }
  tx.create(Heartbeat, { beat_id: beat.id, page_id: beat.page_id, token_hash: hashOf(token)!, ...initial, ...never })
  await keepSecret(ctx, ctx.services.keyring, secretNameOf(beat), token)
}

/** Called after a change of the target. If only the grace has changed, the due moments stay and the count continues. */
export async function rescheduleHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  const schedule = beat.target as Schedule
  const known = await ctx.tx.findOne(Heartbeat, { beat_id: beat.id }, lockedAndFresh)
  if (!known || !haveSameMoments(known.schedule, schedule)) {
    await beginHeartbeat(ctx, beat)
    return
  }
  known.due_at = new Date(known.due_at.getTime() + graceOf(schedule) - graceOf(known.schedule))
  known.schedule = schedule
  known.quiet = false
}

const lockedAndFresh = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** Called before the beat is deleted or gets another type: the token becomes unknown. */
export async function forgetHeartbeat(ctx: Context, beat: Beat): Promise<void> {
  await ctx.tx.nativeDelete(Heartbeat, { beat_id: beat.id })
  await keepSecret(ctx, ctx.services.keyring, secretNameOf(beat), null)
}

/** The address that the target calls. Knowledge of the address is enough for a call, so only writers of beats see it. */
export async function heartbeatUrl(ctx: Context, beat: Beat): Promise<string | undefined> {
  if (!takesCalls(beat.type)) return undefined
  const token = await useSecret(ctx, ctx.services.keyring, secretNameOf(beat))
  return token === null ? undefined : new URL(`/api/v1/heartbeats/${token}`, ctx.services.baseUrl).href
}
