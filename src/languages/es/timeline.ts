import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Esta incidencia se ha resuelto.',
  'timeline.incident.reopened': 'Esta incidencia se ha vuelto a abrir.',
  'timeline.incident.status': 'El estado es ahora «{status}».',
  'timeline.maintenance.in_progress': 'Este mantenimiento ha comenzado.',
  'timeline.maintenance.completed': 'Este mantenimiento ha finalizado.',
  'timeline.maintenance.cancelled': 'Este mantenimiento se ha cancelado.',
}
