import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Cet incident est résolu.',
  'timeline.incident.reopened': 'Cet incident a été rouvert.',
  'timeline.incident.status': 'Le statut est maintenant « {status} ».',
  'timeline.maintenance.in_progress': 'Cette maintenance a commencé.',
  'timeline.maintenance.completed': 'Cette maintenance est terminée.',
  'timeline.maintenance.cancelled': 'Cette maintenance a été annulée.',
}
