import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { recordSubject } from '../../kernel/subject.ts'

export const triggerName = ({ id, name }: Pick<EventTrigger, 'id' | 'name'>) => `trigger "${name}" (${id})`

export const triggerSubject = recordSubject(
  'external trigger',
  EventTrigger,
  (trigger) => ({
    id: trigger.id,
    external_id: trigger.external_id ?? undefined,
    name: trigger.name,
    source_id: trigger.source_id,
    enabled: trigger.enabled,
    draft: trigger.draft,
    each_path: trigger.each_path,
    conditions: trigger.conditions,
    stage_mapping: trigger.stage_mapping,
    output_mapping: trigger.output_mapping,
    safety_settings: trigger.safety_settings,
    associations: trigger.associations,
    silence_minutes: trigger.silence_minutes,
    disabled_because: trigger.disabled_because ?? undefined,
  }),
  { external: true },
)
