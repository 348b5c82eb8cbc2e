import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'تم حل هذا الحادث.',
  'timeline.incident.reopened': 'أُعيد فتح هذا الحادث.',
  'timeline.incident.status': 'الحالة الآن «{status}».',
  'timeline.maintenance.in_progress': 'بدأت هذه الصيانة.',
  'timeline.maintenance.completed': 'اكتملت هذه الصيانة.',
  'timeline.maintenance.cancelled': 'أُلغيت هذه الصيانة.',
}
