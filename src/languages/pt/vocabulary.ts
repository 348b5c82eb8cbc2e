import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': 'Operacional',
  'status.maintenance': 'Manutenção',
  'status.degraded': 'Degradado',
  'status.partial_outage': 'Interrupção parcial',
  'status.major_outage': 'Interrupção grave',
  'status.resolved': 'Resolvido',
  'status.scheduled': 'Agendada',
  'status.in_progress': 'Em curso',
  'status.completed': 'Concluída',
  'status.cancelled': 'Cancelada',
  'stage.healthy': 'Saudável',
  'stage.warning': 'Aviso',
  'stage.critical': 'Crítico',
  'stage.unknown': 'Desconhecido',
}
