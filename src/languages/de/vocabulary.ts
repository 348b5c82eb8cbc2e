import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': 'Betriebsbereit',
  'status.maintenance': 'Wartung',
  'status.degraded': 'Beeinträchtigt',
  'status.partial_outage': 'Teilausfall',
  'status.major_outage': 'Größerer Ausfall',
  'status.resolved': 'Behoben',
  'status.scheduled': 'Geplant',
  'status.in_progress': 'In Arbeit',
  'status.completed': 'Abgeschlossen',
  'status.cancelled': 'Abgesagt',
  'stage.healthy': 'Gesund',
  'stage.warning': 'Warnung',
  'stage.critical': 'Kritisch',
  'stage.unknown': 'Unbekannt',
}
