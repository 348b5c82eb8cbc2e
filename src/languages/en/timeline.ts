/** Entries of timelines are stored with these texts and recognized by them, so a text never changes. */
export const timeline = {
  'timeline.incident.resolved': 'This incident has been resolved.',
  'timeline.incident.reopened': 'This incident has been opened again.',
  'timeline.incident.status': 'The status is now "{status}".',
  'timeline.maintenance.in_progress': 'This maintenance has started.',
  'timeline.maintenance.completed': 'This maintenance has been completed.',
  'timeline.maintenance.cancelled': 'This maintenance has been cancelled.',
} as const
