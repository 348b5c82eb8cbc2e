import { z } from 'zod'
import { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { momentOut, subjectFrom, subjectInQuery } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { eventKeys, eventSubjects } from './keys.ts'

const NotificationEventResource = z
  .strictObject({
    id: z.int(),
    key: z.string().describe('Such as `incident.reminder`'),
    subject: z.strictObject({ kind: z.string(), id: z.int() }),
    due_at: momentOut(),
    created_at: momentOut(),
    late: z.boolean().describe('Whether the notification was written noticeably after it was due'),
    missed: z.int().describe('0, or for a late notification the number of due moments that it covers'),
    state: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'NotificationEvent' })

function present(event: NotificationEvent) {
  return {
    id: event.id,
    key: event.key,
    subject: { kind: event.subject_kind, id: event.subject_id },
    due_at: event.due_at.toISOString(),
    created_at: event.created_at.toISOString(),
    late: event.late,
    missed: event.missed,
    state: event.state,
    data: event.data,
  }
}

export const listNotifications = operation({
  name: 'notifications.list',
  area: 'audit',
  permission: 'read',
  summary: 'List notification events, newest first',
  input: z.strictObject({
    key: z.enum(eventKeys).optional().describe('Only events of this key'),
    subject: subjectInQuery(eventSubjects),
    ...pagingFields,
  }),
  output: listOf('notifications', NotificationEventResource),
  run: async ({ tx }, { key, subject, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const { kind, id } = subjectFrom(subject)
    const only = {
      ...(key === undefined ? {} : { key }),
      ...(kind === undefined ? {} : { subject_kind: kind }),
      ...(id === undefined ? {} : { subject_id: id }),
    }
    const rows = await tx.find(
      NotificationEvent,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const total = await tx.count(NotificationEvent, only)
    const page = pageOf(rows, limit, (event) => [event.id])
    return { notifications: page.rows.map(present), total, next_cursor: page.next_cursor }
  },
})

export const getNotification = operation({
  name: 'notifications.get',
  area: 'audit',
  permission: 'read',
  summary: 'Get a notification event',
  subject: recordSubject('notification', NotificationEvent, present),
  input: z.strictObject({}),
  output: NotificationEventResource,
  run: async (_ctx, _input, event) => present(event),
})
