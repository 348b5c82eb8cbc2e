import type { EntityManager } from '@mikro-orm/postgresql'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { type EvaluatedEvent, markEvaluated, type PendingEvent, pendingEvents } from '../../../persistence/ingest.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { matchAtOnce, programOf, type TriggerMatch } from '../decisions/match-event.ts'
import { applyMatches } from './apply-matches.ts'
import { endSilentFingerprints } from './silence.ts'

/** An event with what some triggers found in it. */
export interface Matched {
  event: PendingEvent
  truncatedAlerts: number
  found: { trigger: EventTrigger; match: TriggerMatch }[]
}

const MOST = { events: 200, bytes: 8 * 1024 * 1024 }
/** A step ends its evaluation after this time; the next step goes on. */
const LONGEST_MS = 2000
/** How many triggers one job evaluates. */
const TRIGGERS_AT_ONCE = 100
/** How many elements one step evaluates: each becomes a row. */
const MOST_ELEMENTS = 20_000
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

interface Batch {
  matched: Matched[]
  evaluated: EvaluatedEvent[]
  overloaded: boolean
}

/** Runs the triggers on the evaluation thread until the time of the step is used up. */
async function matchBatch(ctx: StepContext, endpoint: IngestEndpoint, events: PendingEvent[]): Promise<Batch> {
  const started = performance.now()
  const triggers = events.length === 0 ? [] : await activeTriggers(ctx.tx, endpoint.id)
  const batch: Batch = { matched: [], evaluated: [], overloaded: false }
  let elements = 0
  const isOver = () => performance.now() - started > LONGEST_MS || elements > MOST_ELEMENTS
  for (const event of events) {
    if (isOver()) break
    const one = await matchTriggers(ctx, event, triggers, isOver)
    batch.matched.push(...one.matched)
    if (one.progress) batch.evaluated.push(one.progress)
    elements += elementsOf(one.matched)
    if (one.overloaded) return { ...batch, overloaded: true }
    if (one.progress?.state === 'pending') break
  }
  return batch
}

const elementsOf = (matched: Matched[]): number =>
  matched
    .flatMap(({ found }) => found)
    .reduce((sum, { match }) => sum + (typeof match === 'string' ? 1 : match.elements.length), 0)

interface EventProgress {
  matched: Matched[]
  /** Null if the thread was overloaded before the first trigger. */
  progress: EvaluatedEvent | null
  overloaded: boolean
}

/**
 * Evaluates an event by many triggers at once. After a job that was too expensive the triggers are evaluated one by one, and
 * the step may end between them: the next step goes on behind the last one.
 */
async function matchTriggers(
  { pageId, services }: StepContext,
  event: PendingEvent,
  triggers: EventTrigger[],
  isOver: () => boolean,
): Promise<EventProgress> {
  const document = { text: event.body, headers: event.headers, receivedAt: event.received_at.getTime() }
  const matched: Matched[] = []
  const progress: EvaluatedEvent = {
    ...{
      id: event.id,
      state: 'evaluated',
      evaluated_up_to: event.evaluated_up_to,
      redacted: null,
      confirmation_url: null,
    },
  }
  let left = triggers.filter(({ id }) => id > (event.evaluated_up_to ?? 0))
  let atOnce = TRIGGERS_AT_ONCE
  do {
    const next = left.slice(0, atOnce)
    const result = await matchAtOnce(services.evaluator, pageId, document, next.map(programOf))
    if (result === 'overloaded') {
      return { matched, progress: matched.length > 0 ? { ...progress, state: 'pending' } : null, overloaded: true }
    }
    if (result === 'one by one') {
      atOnce = 1
      continue
    }
    progress.redacted ??= result.redacted
    progress.confirmation_url ??= result.confirmationUrl
    const found = next.map((trigger, index) => ({ trigger, match: result.matches[index]! }))
    matched.push({ event, truncatedAlerts: result.truncatedAlerts, found })
    progress.evaluated_up_to = next.at(-1)?.id ?? progress.evaluated_up_to
    left = left.slice(next.length)
  } while (left.length > 0 && !isOver())
  return { matched, progress: left.length > 0 ? { ...progress, state: 'pending' } : progress, overloaded: false }
}

const activeTriggers = (tx: EntityManager, endpointId: number): Promise<EventTrigger[]> =>
  tx.find(EventTrigger, { source_id: endpointId, enabled: true, draft: false }, { orderBy: { id: 'asc' } })
