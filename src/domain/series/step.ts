import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { generate } from './generate.ts'

/** What the process of a series does when it looks: make the windows that have come near enough. */
export async function seriesStep(ctx: StepContext): Promise<StepResult> {
  const series = await lockSubject(ctx, MaintenanceSeries)
  if (!series) return { done: true, says: 'nothing: the series was deleted' }
  if (series.status === 'ended') return { done: true, says: 'nothing: the series has ended' }
  if (series.status === 'paused') return { done: false, says: 'somebody to resume the paused series' }
  const { next } = await generate(ctx, series, (message) => ctx.note('horizon', message))
  if (!next) return { done: true, says: 'nothing: every occurrence of the series has been made' }
  return { done: false, says: `occurrence ${series.next_index}, to be made at ${next.toISOString()}`, until: next }
}
