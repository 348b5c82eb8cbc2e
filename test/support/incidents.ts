import type { TestService } from './test-service.ts'

interface Reminder {
  due_at: Date
  created_at: Date
  late: boolean
  missed: number
}

export async function openIncident(
  service: TestService,
  body: object = {},
): Promise<{ id: number; workflowId: string }> {
  const { status, body: incident } = await service.admin.post('/admin/incidents', { title: 'Down', ...body })
  if (status !== 201) throw new Error(JSON.stringify(incident))
  return { id: incident.id, workflowId: `incident:${incident.id}` }
}

/** The note of the creation of an incident of `openIncident`. */
export const creationNote = (id: number, reminderAt?: Date | string) =>
  `woken by the creation of incident "Down" (${id}); ${
    reminderAt
      ? `the next reminder is due at ${new Date(reminderAt).toISOString()}`
      : 'no reminder follows: the incident has no reminder interval'
  }`

export const postUpdate = (service: TestService, id: number, body: object = {}) =>
  service.admin.post(`/admin/incidents/${id}/updates`, { message: 'Still looking', ...body })

export const resolve = (service: TestService, id: number) => service.admin.post(`/admin/incidents/${id}/resolve`)

/** Every reminder of an incident that was written, in the order they fell due. */
export async function remindersOf({ services }: TestService, incidentId: number): Promise<Reminder[]> {
  const rows = await services.system.em
    .fork()
    .execute<(Omit<Reminder, 'due_at' | 'created_at'> & Record<string, string>)[]>(
      `select due_at, created_at, late, missed from notification_event
      where key = 'incident.reminder' and subject_id = ? order by due_at`,
      [incidentId],
    )
  return rows.map((row) => ({ ...row, due_at: new Date(row.due_at!), created_at: new Date(row.created_at!) }))
}

export const dueTimes = async (service: TestService, incidentId: number) =>
  (await remindersOf(service, incidentId)).map((reminder) => reminder.due_at)

/** The due moments that neither have a reminder nor are counted in a late one. */
export async function gapsOf(service: TestService, incidentId: number, intervalMs: number): Promise<Date[]> {
  const reminders = await remindersOf(service, incidentId)
  const next = reminders.map(({ due_at, missed }) => due_at.getTime() + intervalMs * Math.max(1, missed))
  return reminders
    .slice(1)
    .flatMap(({ due_at }, index) => (due_at.getTime() === next[index] ? [] : [new Date(next[index]!)]))
}

/** What the API says a process is doing. */
export const processOf = async (service: TestService, workflowId: string) =>
  (await service.admin.get(`/admin/workflows/${workflowId}`)).body

/** What the API says it did, oldest first. */
export async function notesOf(service: TestService, workflowId: string): Promise<string[]> {
  const { body } = await service.admin.get(`/admin/workflows/${workflowId}/history?limit=100`)
  return body.events.map((event: { message: string }) => event.message).reverse()
}

/** How many wake-ups of a process no step has read. */
export async function unread({ services }: TestService, workflowId: string): Promise<number> {
  const [row] = await services.system.em
    .fork()
    .execute<{ count: number }[]>('select count(*)::int as count from wakeup where workflow_id = ?', [workflowId])
  return row!.count
}
