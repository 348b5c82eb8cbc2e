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

/** Events about one subscriber, which are sent to that subscriber alone and are not subject to its preferences. */
export const transactionalKeys = ['subscription.confirm', 'subscription.manage', 'subscription.test'] as const

/** Events whose recipients may be named in the settings of the page. */
export const alertKeys = ['incident.long_running', 'maintenance.overrun'] as const
