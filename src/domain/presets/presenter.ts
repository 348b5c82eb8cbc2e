import type { Preset } from '../../persistence/entities/preset.ts'
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
