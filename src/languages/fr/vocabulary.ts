import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': 'Opérationnel',
  'status.maintenance': 'Maintenance',
  'status.degraded': 'Dégradé',
  'status.partial_outage': 'Panne partielle',
  'status.major_outage': 'Panne majeure',
  'status.resolved': 'Résolu',
  'status.scheduled': 'Planifiée',
  'status.in_progress': 'En cours',
  'status.completed': 'Terminée',
  'status.cancelled': 'Annulée',
  'stage.healthy': 'Sain',
  'stage.warning': 'Avertissement',
  'stage.critical': 'Critique',
  'stage.unknown': 'Inconnu',
}
