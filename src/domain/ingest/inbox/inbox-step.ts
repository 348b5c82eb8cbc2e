import type { EntityManager } from '@mikro-orm/postgresql'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { type EvaluatedEvent, markEvaluated, type PendingEvent, pendingEvents } from '../../../persistence/ingest.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { matchEvent, programOf, type TriggerMatch } from '../decisions/match-event.ts'
import { applyMatches } from './apply-matches.ts'
import { endSilentFingerprints } from './silence.ts'

/** An event with what some triggers found in it. */
export interface Matched {
  event: PendingEvent
  redacted: string
  truncatedAlerts: number
  found: { trigger: EventTrigger; match: TriggerMatch }[]
}

const MOST = { events: 200, bytes: 8 * 1024 * 1024 }
/** A step ends its evaluation after this time; the next step goes on. */
const LONGEST_MS = 2000
/** How many triggers one job evaluates. */
const TRIGGERS_AT_ONCE = 100
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
  const silence = await endSilentFingerprints(ctx, endpoint)
  if (batch.overloaded) {
    return { done: false, says: 'a free evaluation thread', until: new Date(ctx.now.getTime() + OVERLOADED_MS) }
  }
  const rest = batch.evaluated.some(({ state }) => state === 'pending') || batch.evaluated.length < events.length
  // Events that were accepted meanwhile come with a wake-up of their own.
  if (rest || isFull(events)) {
    return { done: false, says: 'the next events', until: ctx.now }
  }
  if (silence) return { done: false, says: 'the end of the silence timeout of a fingerprint', until: silence }
  return { done: false, says: 'an event' }
}

/** More events may wait behind a batch that a limit has cut off. */
const isFull = (events: PendingEvent[]): boolean =>
  events.length === MOST.events || events.reduce((sum, { body }) => sum + body.length, 0) * 2 > MOST.bytes

interface Batch {
  matched: Matched[]
  evaluated: EvaluatedEvent[]
  overloaded: boolean
}

/** Runs the triggers on the evaluation thread until the time of the step is used up. */
async function matchBatch(ctx: StepContext, endpoint: IngestEndpoint, events: PendingEvent[]): Promise<Batch> {
  const { tx, pageId, services } = ctx
  const started = performance.now()
  const triggers = events.length === 0 ? [] : await activeTriggers(tx, endpoint.id)
  const batch: Batch = { matched: [], evaluated: [], overloaded: false }
  const isOver = () => performance.now() - started > LONGEST_MS
  for (const event of events) {
    if (isOver()) break
    let upTo = event.evaluated_up_to
    let redacted: string | null = null
    let confirmation_url: string | null = null
    let left = triggers.filter(({ id }) => id > (upTo ?? 0))
    do {
      const next = left.slice(0, TRIGGERS_AT_ONCE)
      const document = { text: event.body, headers: event.headers, receivedAt: event.received_at.getTime() }
      const result = await matchEvent(services.evaluator, pageId, document, next.map(programOf))
      if (!result) {
        if (upTo !== event.evaluated_up_to) {
          batch.evaluated.push({ id: event.id, state: 'pending', evaluated_up_to: upTo, redacted, confirmation_url })
        }
        return { ...batch, overloaded: true }
      }
      ;({ redacted, confirmationUrl: confirmation_url } = result)
      const { truncatedAlerts, matches } = result
      const found = next.map((trigger, index) => ({ trigger, match: matches[index]! }))
      batch.matched.push({ event, redacted, truncatedAlerts, found })
      upTo = next.at(-1)?.id ?? upTo
      left = left.slice(TRIGGERS_AT_ONCE)
    } while (left.length > 0 && !isOver())
    const state = left.length > 0 ? ('pending' as const) : ('evaluated' as const)
    batch.evaluated.push({ id: event.id, state, evaluated_up_to: upTo, redacted, confirmation_url })
    if (state === 'pending') break
  }
  return batch
}

const activeTriggers = (tx: EntityManager, endpointId: number): Promise<EventTrigger[]> =>
  tx.find(EventTrigger, { source_id: endpointId, enabled: true, draft: false }, { orderBy: { id: 'asc' } })
