import type { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { type Given, newValues } from '../kernel/fields.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { requireVariables } from '../presets/checks.ts'
import { maintenanceDefaults, maintenanceFields } from './fields.ts'

interface Planned extends Given<typeof maintenanceFields> {
  title: string
  scheduled_start_time?: string | null
  scheduled_end_time?: string | null
  series_id?: number
}

const moment = (text: string | null | undefined) => (text ? new Date(text) : null)

/** A scheduled maintenance. */
export function newMaintenance({ tx, pageId, now }: WorkContext, input: Planned): Maintenance {
  const start = moment(input.scheduled_start_time)
  return tx.create(Maintenance, {
    page_id: pageId,
    ...newValues(maintenanceFields, input, maintenanceDefaults()),
    status: 'scheduled',
    lifecycle_stage_id: null,
    external_id: null,
    series_id: input.series_id ?? null,
    create_hash: null,
    scheduled_start_time: start,
    scheduled_end_time: moment(input.scheduled_end_time),
    started_at: null,
    ended_at: null,
    reminders_from: now,
    listed_at: start ?? now,
    version: 1,
    created_at: now,
    updated_at: now,
  })
}

export function addItems({ tx, pageId }: WorkContext, { id }: Maintenance, items: Pick<HierarchyItem, 'id'>[]): void {
  for (const item of items) tx.create(MaintenanceItem, { page_id: pageId, maintenance_id: id, item_id: item.id })
}

const messages = ['auto_transition_start_message', 'auto_transition_complete_message'] as const

interface Worded {
  auto_transition_start_message?: string | null
  auto_transition_complete_message?: string | null
  translations?: { values: Record<string, string | undefined> | null }[]
}

/** Refuses messages with variables that a maintenance cannot fill in, in every language. */
export function checkWords(request: Worded): void {
  for (const field of messages) {
    requireVariables(field, request[field], 'maintenance')
    request.translations?.forEach(({ values }, index) => {
      requireVariables(`translations.${index}.values.${field}`, values?.[field], 'maintenance')
    })
  }
}
