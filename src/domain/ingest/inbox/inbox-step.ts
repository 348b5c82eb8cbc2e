import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { markEvaluated, type PendingEvent, pendingEvents } from '../../../persistence/ingest-events.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { applyMatches } from './apply-matches.ts'
import { matchBatch } from './match-batch.ts'
import { endSilentFingerprints } from './silence.ts'

const MOST = { events: 200, bytes: 8 * 1024 * 1024 }
const OVERLOADED_MS = 1000

/** The step of an inbox: evaluates the accepted events of its endpoint in order, and ends fingerprints at their silence. */
export async function inboxStep(ctx: StepContext): Promise<StepResult> {
  const { tx } = ctx
  const endpoint = await lockSubject(ctx, IngestEndpoint)
  if (!endpoint) return { done: true, says: 'nothing: the endpoint was deleted' }
  const events = await pendingEvents(tx, endpoint.id, MOST)
  const batch = await matchBatch(ctx, endpoint, events)
  if (batch.matched.length > 0) await applyMatches(ctx, endpoint, batch.matched)
  await markEvaluated(tx, batch.evaluated)
  if (batch.overloaded) {
    return { done: false, says: 'a free evaluation thread', until: new Date(ctx.now.getTime() + OVERLOADED_MS) }
  }
  // Events that were accepted meanwhile come with a wake-up of their own.
  const rest = batch.evaluated.some(({ state }) => state === 'pending') || batch.evaluated.length < events.length
  if (rest || isFull(events)) return { done: false, says: 'the next events', until: ctx.now }
  // A waiting event may name a fingerprint, so the silence counts only without one.
  const silence = await endSilentFingerprints(ctx, endpoint)
  if (silence) return { done: false, says: 'the end of the silence timeout of a fingerprint', until: silence }
  return { done: false, says: 'an event' }
}

/** More events may wait behind a batch that a limit has cut off. */
const isFull = (events: PendingEvent[]): boolean =>
  events.length === MOST.events || events.reduce((sum, { size }) => sum + size, 0) >= MOST.bytes
