import { beatsChanged } from '../../../persistence/beats.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { Context } from '../../kernel/context.ts'
import type { Settings } from '../../settings/schema.ts'
import { beginHeartbeat } from '../heartbeats/token.ts'
import { callingTypes } from '../types/index.ts'

type Switch = Pick<Settings, 'synthetics_enabled'>

/** Applies the switch of the page that enables or disables all its beats. */
export async function applySyntheticsSwitch(ctx: Context, before: Switch, after: Switch): Promise<void> {
  if (before.synthetics_enabled === after.synthetics_enabled) return
  const state = after.synthetics_enabled ? 'on' : 'off, so that no beat of the page is checked'
  await beatsChanged(
    ctx.tx,
    ctx.page.id,
    ctx.now,
    `"${ctx.actor.name}" switched the setting synthetics_enabled ${state}`,
  )
  if (after.synthetics_enabled) await expectCallsAgain(ctx)
}

/** The page has enabled its beats again: calls are due from now on. */
async function expectCallsAgain(ctx: Context): Promise<void> {
  for (const beat of await ctx.tx.find(Beat, { type: { $in: [...callingTypes] } }, { orderBy: { id: 'asc' } })) {
    await beginHeartbeat(ctx, beat)
    ctx.wake({ kind: 'beat', id: beat.id }, 'the setting that enables the beats of the page')
  }
}
