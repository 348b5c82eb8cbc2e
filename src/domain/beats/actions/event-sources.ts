import type { EntityManager } from '@mikro-orm/postgresql'
import type { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition, type EventSource } from '../../../persistence/entities/beat-transition.ts'
import { IngestEvent } from '../../../persistence/entities/ingest-event.ts'
import { cut } from '../../kernel/text-rules.ts'

export interface ActionSource extends EventSource {
  payload_preview?: string
}

/** Enough for a person who reviews an action to recognize the event. */
const LONGEST_PREVIEW = 4000

/**
 * The events of other systems that caused actions, in two queries; undefined for an action with another cause. With
 * `previews`, each source has the beginning of the redacted payload.
 */
export async function sourcesOf(
  tx: EntityManager,
  actions: Pick<BeatAction, 'transition_id'>[],
  { previews }: { previews: boolean },
): Promise<(action: Pick<BeatAction, 'transition_id'>) => ActionSource | undefined> {
  const ids = [...new Set(actions.map(({ transition_id }) => transition_id))]
  const rows = ids.length > 0 ? await tx.find(BeatTransition, { id: { $in: ids } }) : []
  const sources = new Map(rows.flatMap(({ id, facts }) => (facts.source ? [[id, facts.source] as const] : [])))
  const eventIds = previews ? [...sources.values()].map(({ inbox_event_id }) => inbox_event_id) : []
  const events =
    eventIds.length > 0 ? await tx.find(IngestEvent, { id: { $in: eventIds } }, { fields: ['id', 'redacted'] }) : []
  const payloads = new Map(events.map(({ id, redacted }) => [id, redacted]))
  return ({ transition_id }) => {
    const source = sources.get(transition_id)
    const payload = source && payloads.get(source.inbox_event_id)
    return source && { ...source, ...(payload ? { payload_preview: cut(payload, LONGEST_PREVIEW) } : {}) }
  }
}
