import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, wall } from './columns.ts'

/** An occurrence of a series that has a window, had one, or was skipped. What is only planned is calculated. */
export const MaintenanceOccurrence = defineEntity({
  name: 'MaintenanceOccurrence',
  tableName: 'maintenance_occurrence',
  policies: wall(),
  uniques: [
    { name: 'maintenance_occurrence_number_key', properties: ['page_id', 'series_id', 'number'] },
    { name: 'maintenance_occurrence_maintenance_key', properties: ['page_id', 'maintenance_id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    series_id: p.integer(),
    /** The `index` of the interface. */
    number: p.integer(),
    /** When the series has it start, wherever its window was moved to: who it is. */
    original_start_time: moment(),
    maintenance_id: p.integer().strictNullable(),
    /** Somebody changed its window, which therefore does not follow the series any more. */
    edited: p.boolean(),
    skipped: p.boolean(),
    /** The series was changed and has no place for it any more; its window is cancelled, and it does not count. */
    dropped: p.boolean(),
    skip_reason: p.text().strictNullable(),
  },
})
export type MaintenanceOccurrence = InferEntity<typeof MaintenanceOccurrence>
