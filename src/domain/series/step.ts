import { LockMode } from '@mikro-orm/postgresql'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { StepContext, StepResult } from '../kernel/step.ts'
import { generate } from './generate.ts'

/** What the process of a series does when it looks: make the windows that have come near enough. */
export async function seriesStep(ctx: StepContext): Promise<StepResult> {
  const series = await ctx.tx.findOne(MaintenanceSeries, { id: ctx.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!series) return { done: true, says: 'nothing: the series was deleted' }
  if (series.status === 'ended') return { done: true, says: 'nothing: the series has ended' }
  if (series.status === 'paused') return { done: false, says: 'somebody to resume the paused series' }
  const { made, next } = await generate(ctx, series)
  const upTo = `occurrence ${series.next_index - 1}`
  if (made.length > 0)
    ctx.note('horizon', made.length === 1 ? `made ${upTo}` : `made ${made.length} windows, up to ${upTo}`)
  if (!next) return { done: true, says: 'nothing: every occurrence of the series has been made' }
  return { done: false, says: `occurrence ${series.next_index}, to be made at ${next.toISOString()}`, until: next }
}
