/**
 * Texts that the service writes itself. Entries with the texts `timeline.incident` and `timeline.maintenance` are stored in
 * English and recognized by them, so these texts never change.
 */
export const timeline = {
  'timeline.incident.resolved': 'This incident has been resolved.',
  'timeline.incident.reopened': 'This incident has been opened again.',
  'timeline.incident.status': 'The status is now "{status}".',
  'timeline.maintenance.in_progress': 'This maintenance has started.',
  'timeline.maintenance.completed': 'This maintenance has been completed.',
  'timeline.maintenance.cancelled': 'This maintenance has been cancelled.',
  'timeline.beat.critical.title': 'Disruption of {items}',
  'timeline.beat.critical.one': '{items} is disrupted. We are looking into it.',
  'timeline.beat.critical.many': '{items} are disrupted. We are looking into it.',
  'timeline.beat.critical.text': 'We see a disruption of {items}. We are looking into it.',
  'timeline.beat.warning.title': 'Problems with {items}',
  'timeline.beat.warning.text': 'We see problems with {items} and are looking into them.',
  'timeline.beat.healthy.title_one': '{items} works again',
  'timeline.beat.healthy.title_many': '{items} work again',
  'timeline.beat.healthy.title_text': 'Recovery of {items}',
  'timeline.beat.healthy.one': '{items} works again.',
  'timeline.beat.healthy.many': '{items} work again.',
  'timeline.beat.healthy.text': 'The disruption of {items} is over.',
  'timeline.beat.service': 'this service',
} as const
