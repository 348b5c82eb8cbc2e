import type { House } from './house.ts'

export interface Told {
  key: string
  due_at: Date
  late: boolean
  missed: number
  data: Record<string, unknown>
}

/** All notifications of a maintenance, in the order in which they were written. */
export async function toldOf({ services }: House, id: number): Promise<Told[]> {
  const rows = await services.system.em.fork().execute<(Omit<Told, 'due_at'> & { due_at: string })[]>(
    `select key, due_at, late, missed, data from notification_event
        where subject_kind = 'maintenance' and subject_id = ? order by id`,
    [id],
  )
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at) }))
}

export const keysOf = async (house: House, id: number) => (await toldOf(house, id)).map(({ key }) => key)

export async function makeItem(house: House, name: string, body: object = {}): Promise<number> {
  const made = await house.admin.post('/admin/hierarchy/items', { name, ...body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id
}

export const statusOf = async (house: House, itemId: number): Promise<string> =>
  (await house.admin.get(`/admin/hierarchy/items/${itemId}`)).body.status
