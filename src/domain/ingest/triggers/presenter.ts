import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'

export function presentCompact(trigger: EventTrigger) {
  return {
    id: trigger.id,
    external_id: trigger.external_id ?? undefined,
    name: trigger.name,
    source_id: trigger.source_id,
    enabled: trigger.enabled,
    draft: trigger.draft,
    match_count: trigger.match_count,
    last_matched_at: trigger.last_matched_at?.toISOString() ?? null,
    disabled_because: trigger.disabled_because ?? undefined,
    version: trigger.version,
    created_at: trigger.created_at.toISOString(),
    updated_at: trigger.updated_at.toISOString(),
  }
}

/** Full triggers. An association with a deleted beat or group is left out. */
export async function presentFull(tx: EntityManager, triggers: EventTrigger[]) {
  const all = triggers.flatMap(({ associations }) => associations)
  const idsOf = (kind: string) => all.filter((one) => one.kind === kind).map(({ monitor_id }) => monitor_id)
  const beats = await tx.find(Beat, { id: { $in: idsOf('beat') } })
  const groups = await tx.find(BeatGroup, { id: { $in: idsOf('beat_group') } })
  const known = {
    beat: new Map(beats.map((one) => [one.id, one])),
    beat_group: new Map(groups.map((one) => [one.id, one])),
  }
  return triggers.map((trigger) => ({
    ...presentCompact(trigger),
    each_path: trigger.each_path,
    conditions: trigger.conditions as Record<string, unknown> | null,
    stage_mapping: trigger.stage_mapping,
    output_mapping: trigger.output_mapping as Record<string, string>,
    safety_settings: trigger.safety_settings,
    associations: trigger.associations.flatMap(({ monitor_id, kind, role }) => {
      const record = known[kind].get(monitor_id)
      if (!record) return []
      const { id, external_id } = record
      return [{ monitor_id, monitor: { id, external_id: external_id ?? undefined }, kind, role }]
    }),
    silence_minutes: trigger.silence_minutes,
  }))
}
