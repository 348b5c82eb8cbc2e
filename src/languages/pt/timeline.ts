import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Este incidente foi resolvido.',
  'timeline.incident.reopened': 'Este incidente foi reaberto.',
  'timeline.incident.status': 'O status agora é “{status}”.',
  'timeline.maintenance.in_progress': 'Esta manutenção começou.',
  'timeline.maintenance.completed': 'Esta manutenção foi concluída.',
  'timeline.maintenance.cancelled': 'Esta manutenção foi cancelada.',
  'timeline.beat.critical.title': 'Interrupção: {items}',
  'timeline.beat.critical.one': '{items} apresenta uma interrupção. Estamos investigando a causa.',
  'timeline.beat.critical.many': '{items} apresentam uma interrupção. Estamos investigando a causa.',
  'timeline.beat.critical.text': 'Observamos uma interrupção: {items}. Estamos investigando a causa.',
  'timeline.beat.warning.title': 'Problemas: {items}',
  'timeline.beat.warning.text': 'Observamos problemas: {items}. Estamos investigando a causa.',
  'timeline.beat.healthy.title_one': '{items} voltou a funcionar',
  'timeline.beat.healthy.title_many': '{items} voltaram a funcionar',
  'timeline.beat.healthy.title_text': 'Restabelecimento: {items}',
  'timeline.beat.healthy.one': '{items} voltou a funcionar.',
  'timeline.beat.healthy.many': '{items} voltaram a funcionar.',
  'timeline.beat.healthy.text': 'A interrupção terminou: {items}.',
  'timeline.beat.service': 'este serviço',
}
