import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'

interface AssociatedBeats {
  /** The beats whose stage the trigger sets. */
  stage: number[]
  /** The beats to which the trigger only adds evidence. */
  evidence: number[]
  all: number[]
}

export type BeatsOfTrigger = (trigger: Pick<EventTrigger, 'id' | 'associations'>) => AssociatedBeats

/** The beats of triggers, in two queries. A group stands for its members that take external events. */
export async function beatsOfTriggers(
  tx: EntityManager,
  triggers: Pick<EventTrigger, 'id' | 'associations'>[],
): Promise<BeatsOfTrigger> {
  const all = triggers.flatMap(({ associations }) => associations)
  const idsOf = (kind: 'beat' | 'beat_group') => all.filter((one) => one.kind === kind).map((one) => one.monitor_id)
  const rows = await tx.find(
    Beat,
    { $or: [{ id: { $in: idsOf('beat') } }, { beat_group_id: { $in: idsOf('beat_group') }, type: 'external_event' }] },
    { orderBy: { id: 'asc' } },
  )
  return ({ associations }) => {
    const named = (role: 'stage' | 'evidence') => [
      ...new Set(
        associations
          .filter((one) => one.role === role)
          .flatMap(({ kind, monitor_id }) =>
            rows
              .filter((beat) => role === 'evidence' || beat.type === 'external_event')
              .filter((beat) => (kind === 'beat' ? beat.id : beat.beat_group_id) === monitor_id)
              .map(({ id }) => id),
          ),
      ),
    ]
    const stage = named('stage')
    const evidence = named('evidence').filter((id) => !stage.includes(id))
    return { stage, evidence, all: [...stage, ...evidence] }
  }
}
