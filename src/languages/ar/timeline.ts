import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'تم حل هذا الحادث.',
  'timeline.incident.reopened': 'أُعيد فتح هذا الحادث.',
  'timeline.incident.status': 'الحالة الآن «{status}».',
  'timeline.maintenance.in_progress': 'بدأت هذه الصيانة.',
  'timeline.maintenance.completed': 'اكتملت هذه الصيانة.',
  'timeline.maintenance.cancelled': 'أُلغيت هذه الصيانة.',
  'timeline.beat.critical.title': 'اضطراب في {items}',
  'timeline.beat.critical.one': '{items}: يوجد اضطراب. نبحث عن السبب.',
  'timeline.beat.critical.many': '{items}: يوجد اضطراب. نبحث عن السبب.',
  'timeline.beat.critical.text': 'نلاحظ اضطرابًا: {items}. نبحث عن السبب.',
  'timeline.beat.warning.title': 'مشكلات في {items}',
  'timeline.beat.warning.text': 'نلاحظ مشكلات: {items}. نبحث عن السبب.',
  'timeline.beat.healthy.title_one': 'عودة {items} إلى العمل',
  'timeline.beat.healthy.title_many': 'عودة {items} إلى العمل',
  'timeline.beat.healthy.title_text': 'انتهاء الاضطراب: {items}',
  'timeline.beat.healthy.one': 'عاد العمل إلى طبيعته: {items}.',
  'timeline.beat.healthy.many': 'عاد العمل إلى طبيعته: {items}.',
  'timeline.beat.healthy.text': 'انتهى الاضطراب: {items}.',
  'timeline.beat.service': 'هذه الخدمة',
}
