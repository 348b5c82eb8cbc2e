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
