import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'الحالة',
  'embed.unknown': 'غير معروف',
  'embed.open': 'حالة {page}',
  'embed.close': 'إغلاق',
  'embed.calm': 'لا حوادث ولا صيانة.',
  'embed.page': 'فتح صفحة الحالة',
  'embed.move': 'حرّك بالمؤشر، أو بمفتاح Shift ومفاتيح الأسهم',
  'embed.guide.title': 'اعرض هذه الحالة في مكان آخر',
  'embed.guide.intro': 'انسخ جزءًا من الشفرة إلى صفحة أخرى. ما يعرضه يبقى محدّثًا.',
  'embed.guide.badge': 'شارة',
  'embed.guide.badge_text': 'صورة للمستندات وملفات README.',
  'embed.guide.widget': 'بطاقة',
  'embed.guide.widget_text': 'بطاقة في صفحة، في موضع السطر الأول.',
  'embed.guide.launcher': 'زر',
  'embed.guide.launcher_text': 'زر في زاوية صفحة يفتح قائمة.',
  'embed.guide.frame': 'إطار',
  'embed.guide.frame_text': 'مستند للصفحات التي لا تسمح بالبرامج النصية.',
  'embed.guide.json': 'JSON للشارات',
  'embed.guide.none': 'لا تقدّم إعدادات هذه الصفحة شيئًا للتضمين.',
  'embed.guide.preview': 'معاينة',
}
