import { publicKeys as keys, transactionalKeys } from '../../persistence/notification-keys.ts'

/** The keys of notification events, in the order of the interface. */
export const eventKeys = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'incident.reminder',
  'incident.long_running',
  'maintenance.scheduled',
  'maintenance.updated',
  'maintenance.reminder',
  'maintenance.started',
  'maintenance.completed',
  'maintenance.cancelled',
  'maintenance.overrun',
  'series.rescheduled',
  'item.status_changed',
  'beat.stage_changed',
  'beat.review_requested',
  'subscription.confirm',
  'subscription.manage',
  'subscription.test',
  'view.access_code',
] as const

/** The kinds of records that notification events are about. */
export const eventSubjects = [
  'incident',
  'maintenance',
  'series',
  'item',
  'beat',
  'beat_group',
  'subscriber',
  'view',
  'page',
] as const

/** The events that the public sees. `maintenance.reminder` is public before the start of its window only. */
export const publicKeys = keys satisfies readonly (typeof eventKeys)[number][]

/** Whether the event is sent to the subscribers that it is about, and to no one else. */
export const isTransactional = (key: string): boolean => (transactionalKeys as readonly string[]).includes(key)

export const isPublicKey = (key: string): boolean => (publicKeys as readonly string[]).includes(key)
