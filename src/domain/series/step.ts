import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { generate } from './generate.ts'

/** One step of the process of a series: creates the windows that start within the generated months. */
export async function seriesStep(ctx: StepContext): Promise<StepResult> {
  const series = await lockSubject(ctx, MaintenanceSeries)
  if (!series) return { done: true, says: 'nothing: the series was deleted' }
  if (series.status === 'ended') return { done: true, says: 'nothing: the series has ended' }
  if (series.status === 'paused') return { done: false, says: 'the resumption of the paused series' }
  const { next } = await generate(ctx, series, (message) => ctx.note('horizon', message))
  if (!next) return { done: true, says: 'nothing: the series has no further occurrence' }
  return { done: false, says: `the creation of occurrence ${series.next_index} at ${next.toISOString()}`, until: next }
}
