import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Diese Störung ist behoben.',
  'timeline.incident.reopened': 'Diese Störung wurde erneut eröffnet.',
  'timeline.incident.status': 'Der Status ist jetzt „{status}“.',
  'timeline.maintenance.in_progress': 'Diese Wartung hat begonnen.',
  'timeline.maintenance.completed': 'Diese Wartung ist abgeschlossen.',
  'timeline.maintenance.cancelled': 'Diese Wartung wurde abgesagt.',
}
