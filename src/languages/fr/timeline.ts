import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'Cet incident est résolu.',
  'timeline.incident.reopened': 'Cet incident a été rouvert.',
  'timeline.incident.status': 'Le statut est maintenant «\u00a0{status}\u00a0».',
  'timeline.maintenance.in_progress': 'Cette maintenance a commencé.',
  'timeline.maintenance.completed': 'Cette maintenance est terminée.',
  'timeline.maintenance.cancelled': 'Cette maintenance a été annulée.',
  'timeline.beat.critical.title': 'Perturbation : {items}',
  'timeline.beat.critical.one': '{items} est perturbé. Nous en cherchons la cause.',
  'timeline.beat.critical.many': '{items} sont perturbés. Nous en cherchons la cause.',
  'timeline.beat.critical.text': 'Nous constatons une perturbation : {items}. Nous en cherchons la cause.',
  'timeline.beat.warning.title': 'Problèmes : {items}',
  'timeline.beat.warning.text': 'Nous constatons des problèmes : {items}. Nous en cherchons la cause.',
  'timeline.beat.healthy.title_one': '{items} fonctionne de nouveau',
  'timeline.beat.healthy.title_many': '{items} fonctionnent de nouveau',
  'timeline.beat.healthy.title_text': 'Rétablissement : {items}',
  'timeline.beat.healthy.one': '{items} fonctionne de nouveau.',
  'timeline.beat.healthy.many': '{items} fonctionnent de nouveau.',
  'timeline.beat.healthy.text': 'La perturbation est terminée : {items}.',
  'timeline.beat.service': 'ce service',
}
