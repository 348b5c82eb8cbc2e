import type { TestService } from './test-service.ts'

export interface Notified {
  key: string
  due_at: Date
  late: boolean
  missed: number
  data: Record<string, unknown>
}

/** All notifications of a maintenance, in the order in which they were written. */
export async function notificationsOf({ services }: TestService, id: number): Promise<Notified[]> {
  const rows = await services.system.em.fork().execute<(Omit<Notified, 'due_at'> & { due_at: string })[]>(
    `select key, due_at, late, missed, data from notification_event
        where subject_kind = 'maintenance' and subject_id = ? and withheld is null order by id`,
    [id],
  )
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at) }))
}

export const keysOf = async (service: TestService, id: number) =>
  (await notificationsOf(service, id)).map(({ key }) => key)

export async function makeItem(service: TestService, name: string, body: object = {}): Promise<number> {
  const made = await service.admin.post('/admin/hierarchy/items', { name, ...body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id
}

export const statusOf = async (service: TestService, itemId: number): Promise<string> =>
  (await service.admin.get(`/admin/hierarchy/items/${itemId}`)).body.status
