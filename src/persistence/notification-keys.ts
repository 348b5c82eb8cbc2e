/** The events that the public sees. `maintenance.reminder` is public before the start of its window only. */
export const publicKeys = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'maintenance.scheduled',
  'maintenance.updated',
  'maintenance.started',
  'maintenance.completed',
  'maintenance.cancelled',
  'maintenance.reminder',
  'series.rescheduled',
  'item.status_changed',
] as const

/** Events that are sent to one address that asked for them, and are not subject to preferences. */
export const transactionalKeys = [
  'subscription.confirm',
  'subscription.manage',
  'subscription.test',
  'view.access_code',
] as const

/** Events whose recipients may be named in the settings of the page. */
export const alertKeys = ['incident.long_running', 'maintenance.overrun'] as const
