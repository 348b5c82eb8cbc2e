import type { EntityManager } from '@mikro-orm/postgresql'
import type { Preset } from '../../persistence/entities/preset.ts'
import { translationsOf } from '../translations/read.ts'
import type { Category } from './rules.ts'

export function presentCompact(preset: Preset) {
  return {
    id: preset.id,
    title: preset.title,
    category: preset.category as Category,
    auto_post_on_maintenance_start: preset.auto_post_on_maintenance_start,
    auto_post_on_maintenance_completion: preset.auto_post_on_maintenance_completion,
    version: preset.version,
  }
}

export function presentPreset(preset: Preset) {
  return {
    ...presentCompact(preset),
    body: preset.body,
    created_at: preset.created_at.toISOString(),
    updated_at: preset.updated_at.toISOString(),
  }
}

/** Full presets with their translations. */
export async function presentFull(tx: EntityManager, presets: Preset[]) {
  const translations = await translationsOf(tx, { preset: presets })
  return presets.map((preset) => ({ ...presentPreset(preset), translations: translations('preset', preset.id) }))
}
