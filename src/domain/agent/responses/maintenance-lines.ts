import type { z } from 'zod'
import type { MaintenanceResource } from '../../maintenances/schema.ts'
import { inWords, named, plain, when } from './text.ts'

type Maintenance = z.output<typeof MaintenanceResource>

export function maintenanceLine(maintenance: Maintenance, zone: string): string {
  const { id, title, status, scheduled_start_time, scheduled_end_time, affected_items = [] } = maintenance
  const items =
    affected_items.length > 0 ? `, affects ${affected_items.map(({ name }) => plain(name, 80)).join(', ')}` : ''
  const end = scheduled_end_time ? ` until ${when(scheduled_end_time, zone)}` : ''
  return `Maintenance ${named(title, id)}: ${inWords(status)}, ${when(scheduled_start_time, zone)}${end}${items}`
}
