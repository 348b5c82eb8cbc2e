import type { TestService } from './test-service.ts'

export interface Listed {
  index: number
  original_start_time: string
  scheduled_start_time: string
  scheduled_end_time: string
  status: string
  maintenance_id?: number
  edited?: boolean
  skip_reason?: string
}

export const seriesPath = '/admin/maintenance-series'

export async function occurrencesOf(service: TestService, id: number, query = ''): Promise<Listed[]> {
  return (await service.admin.get(`${seriesPath}/${id}/occurrences?${query}`)).body.occurrences
}

export async function windowsOf(service: TestService, id: number) {
  const all = await occurrencesOf(service, id, 'limit=500')
  return all.filter(({ maintenance_id }) => maintenance_id !== undefined)
}

/** A weekly series with its process; `changes` replace fields of the request. */
export async function createWeekly(service: TestService, item: number, changes: object = {}) {
  const { status, body } = await service.admin.post(seriesPath, {
    ...{ title: 'Weekly', affected_items: [{ id: item }], recurrence_type: 'weekly', timezone: 'Europe/Berlin' },
    ...{ start_time: '02:30', start_date: service.now.toISOString(), duration_minutes: 60, generate_months: 1 },
    ...{ auto_transition_enabled: true, ...changes },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id as number, workflowId: `series:${body.id}` }
}
