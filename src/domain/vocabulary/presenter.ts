import type { EntityManager } from '@mikro-orm/postgresql'
import type { StatusType } from '../../persistence/entities/status-type.ts'
import type { StageWords } from '../../persistence/vocabulary.ts'
import { translationsOf } from '../translations/read.ts'
import { shapeNamed } from './rules.ts'

export function presentStatusType(type: StatusType) {
  return {
    id: type.id,
    key: type.key,
    name: type.name,
    description: type.description,
    icon: shapeNamed(type.icon) ?? '',
    color: type.color,
    is_operational: type.is_operational,
    uptime_weight: type.uptime_weight,
    archived: type.archived,
    display_order: type.display_order,
    version: type.version,
    created_at: type.created_at.toISOString(),
    updated_at: type.updated_at.toISOString(),
  }
}

export function presentStage(stage: StageWords) {
  return {
    id: stage.id,
    name: stage.name,
    description: stage.description,
    color: stage.color,
    display_order: stage.display_order,
    is_default: stage.is_default,
    archived: stage.archived,
    version: stage.version,
  }
}

/** Status types for admins, with their translations. */
export async function presentStatusTypes(tx: EntityManager, types: StatusType[]) {
  const translations = await translationsOf(tx, { status_type: types })
  return types.map((type) => ({ ...presentStatusType(type), translations: translations('status_type', type.id) }))
}

/** Lifecycle stages for admins, with their translations. */
export async function presentStages(tx: EntityManager, stages: StageWords[]) {
  const translations = await translationsOf(tx, { lifecycle_stage: stages })
  return stages.map((stage) => ({ ...presentStage(stage), translations: translations('lifecycle_stage', stage.id) }))
}
