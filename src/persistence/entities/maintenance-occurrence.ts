import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** An occurrence of a series whose maintenance was created, or that was skipped. Later occurrences are computed. */
export const MaintenanceOccurrence = defineEntity({
  name: 'MaintenanceOccurrence',
  tableName: 'maintenance_occurrence',
  policies: pagePolicies(),
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
    /** The start by the rule of the series, which identifies the occurrence even if its window was moved. */
    original_start_time: moment(),
    maintenance_id: p.integer().strictNullable(),
    /** A person has changed the maintenance, which therefore does not follow changes of the series. */
    edited: p.boolean(),
    skipped: p.boolean(),
    /** The changed series no longer has this occurrence: its maintenance is cancelled, and the occurrence does not count. */
    dropped: p.boolean(),
    skip_reason: p.text().strictNullable(),
  },
})
export type MaintenanceOccurrence = InferEntity<typeof MaintenanceOccurrence>
