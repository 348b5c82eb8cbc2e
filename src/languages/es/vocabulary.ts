import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': 'Operativo',
  'status.maintenance': 'Mantenimiento',
  'status.degraded': 'Degradado',
  'status.partial_outage': 'Interrupción parcial',
  'status.major_outage': 'Interrupción grave',
  'status.resolved': 'Resuelto',
  'status.scheduled': 'Programado',
  'status.in_progress': 'En curso',
  'status.completed': 'Finalizado',
  'status.cancelled': 'Cancelado',
  'stage.healthy': 'Sano',
  'stage.warning': 'Advertencia',
  'stage.critical': 'Crítico',
  'stage.unknown': 'Desconocido',
}
