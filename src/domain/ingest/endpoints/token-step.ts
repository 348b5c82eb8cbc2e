import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { IngestToken } from '../../../persistence/entities/ingest-token.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'

/** The step of the process of an endpoint's tokens: records the end of each grace period. */
export async function ingestTokenStep(ctx: StepContext): Promise<StepResult> {
  const endpoint = await lockSubject(ctx, IngestEndpoint)
  if (!endpoint) return { done: true, says: 'nothing: the endpoint was deleted' }
  const ending = await ctx.tx.find(
    IngestToken,
    { endpoint_id: endpoint.id, expires_at: { $ne: null }, ended_at: null },
    { orderBy: { expires_at: 'asc' } },
  )
  for (const token of ending) {
    const { prefix, expires_at } = token
    if (expires_at! > ctx.now) {
      const says = `the end of the token upi_${prefix} at ${expires_at!.toISOString()}`
      return { done: false, says, until: expires_at! }
    }
    token.ended_at = ctx.now
    ctx.note('token', `the token upi_${prefix} ended at ${expires_at!.toISOString()}: its grace period is over`)
  }
  return { done: false, says: 'a rotation of the token' }
}
