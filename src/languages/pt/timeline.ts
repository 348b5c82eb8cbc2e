import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Este incidente foi resolvido.',
  'timeline.incident.reopened': 'Este incidente foi reaberto.',
  'timeline.incident.status': 'O status agora é “{status}”.',
  'timeline.maintenance.in_progress': 'Esta manutenção começou.',
  'timeline.maintenance.completed': 'Esta manutenção foi concluída.',
  'timeline.maintenance.cancelled': 'Esta manutenção foi cancelada.',
}
