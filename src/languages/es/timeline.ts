import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Esta incidencia se ha resuelto.',
  'timeline.incident.reopened': 'Esta incidencia se ha vuelto a abrir.',
  'timeline.incident.status': 'El estado es ahora «{status}».',
  'timeline.maintenance.in_progress': 'Este mantenimiento ha comenzado.',
  'timeline.maintenance.completed': 'Este mantenimiento ha finalizado.',
  'timeline.maintenance.cancelled': 'Este mantenimiento se ha cancelado.',
  'timeline.beat.critical.title': 'Interrupción: {items}',
  'timeline.beat.critical.one': '{items} presenta una interrupción. Estamos investigando la causa.',
  'timeline.beat.critical.many': '{items} presentan una interrupción. Estamos investigando la causa.',
  'timeline.beat.critical.text': 'Observamos una interrupción: {items}. Estamos investigando la causa.',
  'timeline.beat.warning.title': 'Problemas: {items}',
  'timeline.beat.warning.text': 'Observamos problemas: {items}. Estamos investigando la causa.',
  'timeline.beat.healthy.title_one': '{items} vuelve a funcionar',
  'timeline.beat.healthy.title_many': '{items} vuelven a funcionar',
  'timeline.beat.healthy.title_text': 'Restablecimiento: {items}',
  'timeline.beat.healthy.one': '{items} vuelve a funcionar.',
  'timeline.beat.healthy.many': '{items} vuelven a funcionar.',
  'timeline.beat.healthy.text': 'La interrupción ha terminado: {items}.',
  'timeline.beat.service': 'este servicio',
}
