import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': 'يعمل',
  'status.maintenance': 'صيانة',
  'status.degraded': 'أداء منخفض',
  'status.partial_outage': 'انقطاع جزئي',
  'status.major_outage': 'انقطاع كبير',
  'status.resolved': 'تم الحل',
  'status.scheduled': 'مجدولة',
  'status.in_progress': 'جارية',
  'status.completed': 'مكتملة',
  'status.cancelled': 'ملغاة',
  'stage.healthy': 'سليم',
  'stage.warning': 'تحذير',
  'stage.critical': 'حرج',
  'stage.unknown': 'غير معروف',
}
