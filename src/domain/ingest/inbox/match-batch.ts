import type { EntityManager } from '@mikro-orm/postgresql'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import type { EvaluatedEvent, PendingEvent } from '../../../persistence/ingest-events.ts'
import type { StepContext } from '../../kernel/step.ts'
import { matchEvent, programOf, type TriggerMatch } from '../decisions/match-event.ts'

/** An event with what some triggers found in it. */
export interface Matched {
  event: PendingEvent
  truncatedAlerts: number
  found: { trigger: EventTrigger; match: TriggerMatch }[]
}

/** A step ends its evaluation after this time; the next step goes on. */
const LONGEST_MS = 2000
/** How many triggers one job evaluates. */
const TRIGGERS_AT_ONCE = 100
/** How many elements one step evaluates: each becomes a row. */
const MOST_ELEMENTS = 20_000
export interface Batch {
  matched: Matched[]
  evaluated: EvaluatedEvent[]
  overloaded: boolean
}

/** Runs the triggers on the evaluation thread until the time of the step is used up. */
export async function matchBatch(ctx: StepContext, endpoint: IngestEndpoint, events: PendingEvent[]): Promise<Batch> {
  const started = performance.now()
  const triggers = events.length === 0 ? [] : await activeTriggers(ctx.tx, endpoint.id)
  const batch: Batch = { matched: [], evaluated: [], overloaded: false }
  let elements = 0
  const isOver = (more = 0) => performance.now() - started > LONGEST_MS || elements + more > MOST_ELEMENTS
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
  isOver: (more: number) => boolean,
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
    const tried = left.slice(0, atOnce)
    const result = await matchEvent(services.evaluator, pageId, document, tried.map(programOf))
    if (result === 'overloaded') {
      return { matched, progress: matched.length > 0 ? { ...progress, state: 'pending' } : null, overloaded: true }
    }
    if (result === 'one by one') {
      atOnce = 1
      continue
    }
    progress.redacted ??= result.redacted
    progress.confirmation_url ??= result.confirmationUrl
    const next = tried.slice(0, result.matches.length)
    const found = next.map((trigger, index) => ({ trigger, match: result.matches[index]! }))
    matched.push({ event, truncatedAlerts: result.truncatedAlerts, found })
    progress.evaluated_up_to = next.at(-1)?.id ?? progress.evaluated_up_to
    left = left.slice(next.length)
  } while (left.length > 0 && !isOver(elementsOf(matched)))
  return { matched, progress: left.length > 0 ? { ...progress, state: 'pending' } : progress, overloaded: false }
}

const activeTriggers = (tx: EntityManager, endpointId: number): Promise<EventTrigger[]> =>
  tx.find(EventTrigger, { source_id: endpointId, enabled: true, draft: false }, { orderBy: { id: 'asc' } })
