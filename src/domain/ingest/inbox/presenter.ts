import type { EntityManager } from '@mikro-orm/postgresql'
import { redactText } from '../../../outbound/redaction-rules.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { EventEvaluation } from '../../../persistence/entities/event-evaluation.ts'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { IngestEvent } from '../../../persistence/entities/ingest-event.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { outcomes } from './schema.ts'

export type ShownEvent = Omit<IngestEvent, 'body' | 'delivery_key' | 'evaluated_up_to' | symbol>

export const presentCompact = ({ id, endpoint_id, received_at, size, state }: ShownEvent) => ({
  ...{ id, endpoint_id, received_at: received_at.toISOString(), size, state },
})

interface Options {
  /** A larger payload is left out. */
  mostCharacters: number
  showsConfirmation: boolean
}

/** Full events with their redacted payload and their evaluations, in a number of queries that does not grow with them. */
export async function presentFull(tx: EntityManager, events: ShownEvent[], options: Options) {
  const evaluations = await evaluationsOf(tx, events)
  return events.map((event) => {
    const { redacted, headers, confirmation_url } = event
    const isShown = redacted !== null && redacted.length <= options.mostCharacters
    return {
      ...presentCompact(event),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, values]) => [name, redactText(values.join(', '))]),
      ),
      ...(isShown ? { payload: JSON.parse(redacted) as Record<string, unknown> } : {}),
      ...(isShown || event.state === 'pending' ? {} : { payload_left_out: true }),
      evaluations: evaluations(event.id),
      ...(options.showsConfirmation && confirmation_url !== null ? { confirmation_url } : {}),
    }
  })
}

async function evaluationsOf(tx: EntityManager, events: ShownEvent[]) {
  const rows = await tx.find(
    EventEvaluation,
    { event_id: { $in: events.map(({ id }) => id) } },
    { orderBy: { id: 'asc' } },
  )
  const triggers = await tx.find(EventTrigger, { id: { $in: rows.map(({ trigger_id }) => trigger_id) } })
  const names = new Map(triggers.map(({ id, name }) => [id, name]))
  const actions = await actionsOf(tx, rows)
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id)
  return (eventId: number) =>
    (byEvent.get(eventId) ?? []).map((row) => ({
      trigger_id: row.trigger_id,
      trigger_name: names.get(row.trigger_id),
      trigger_version: row.trigger_version,
      element: row.element,
      outcome: row.outcome as (typeof outcomes)[number],
      leaf: row.leaf ?? undefined,
      stage: (row.stage as Stage | null) ?? undefined,
      fingerprint: row.fingerprint ?? undefined,
      external_event_id: row.external_event_id ?? undefined,
      observed_at: row.observed_at?.toISOString(),
      explanation: row.explanation,
      transition: row.transitions[0],
      transitions: row.transitions,
      actions: row.transitions.flatMap(actions),
    }))
}

/** The actions of the transitions of beats. The actions of a group follow from the transition of the group. */
async function actionsOf(tx: EntityManager, rows: EventEvaluation[]) {
  const named = rows.flatMap(({ transitions }) => transitions)
  const numbers = named.map(({ beat_id, number }) => ({ owner_kind: 'beat' as const, owner_id: beat_id, number }))
  const transitions = numbers.length > 0 ? await tx.find(BeatTransition, { $or: numbers }) : []
  const actions = await tx.find(BeatAction, { transition_id: { $in: transitions.map(({ id }) => id) } })
  return ({ beat_id, number }: { beat_id: number; number: number }): number[] => {
    const transition = transitions.find((one) => one.owner_id === beat_id && one.number === number)
    return actions.filter((one) => one.transition_id === transition?.id).map(({ id }) => id)
  }
}
