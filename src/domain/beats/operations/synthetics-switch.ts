import { beatsChanged } from '../../../persistence/beats.ts'
import type { Context } from '../../kernel/context.ts'
import type { Settings } from '../../settings/schema.ts'
import { expectCallsAgain } from '../heartbeats/enabled.ts'

type Switch = Pick<Settings, 'synthetics_enabled'>

/** The page switches its beats on or off: those who check them look at each. */
export async function applySyntheticsSwitch(ctx: Context, before: Switch, after: Switch): Promise<void> {
  if (before.synthetics_enabled === after.synthetics_enabled) return
  await beatsChanged(ctx.tx, ctx.page.id, ctx.now)
  if (after.synthetics_enabled) await expectCallsAgain(ctx)
}
