import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Diese Störung ist behoben.',
  'timeline.incident.reopened': 'Diese Störung wurde erneut eröffnet.',
  'timeline.incident.status': 'Der Status ist jetzt „{status}“.',
  'timeline.maintenance.in_progress': 'Diese Wartung hat begonnen.',
  'timeline.maintenance.completed': 'Diese Wartung ist abgeschlossen.',
  'timeline.maintenance.cancelled': 'Diese Wartung wurde abgesagt.',
  'timeline.beat.critical.title': 'Störung: {items}',
  'timeline.beat.critical.one': '{items} ist gestört. Wir untersuchen die Ursache.',
  'timeline.beat.critical.many': '{items} sind gestört. Wir untersuchen die Ursache.',
  'timeline.beat.critical.text': 'Wir sehen eine Störung: {items}. Wir untersuchen die Ursache.',
  'timeline.beat.warning.title': 'Probleme: {items}',
  'timeline.beat.warning.text': 'Wir sehen Probleme: {items}. Wir untersuchen die Ursache.',
  'timeline.beat.healthy.title_one': '{items} funktioniert wieder',
  'timeline.beat.healthy.title_many': '{items} funktionieren wieder',
  'timeline.beat.healthy.title_text': 'Behoben: {items}',
  'timeline.beat.healthy.one': '{items} funktioniert wieder.',
  'timeline.beat.healthy.many': '{items} funktionieren wieder.',
  'timeline.beat.healthy.text': 'Die Störung ist behoben: {items}.',
  'timeline.beat.service': 'dieser Dienst',
}
