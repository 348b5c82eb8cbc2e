import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'لا توجد صفحة هنا',
  'notice.not_found.text': 'تحقق من العنوان.',
  'notice.rate_limited.title': 'طلبات كثيرة جدًا',
  'notice.rate_limited.text': 'انتظر لحظة، ثم أعد تحميل هذه الصفحة.',
  'notice.unavailable.title': 'لا يمكن عرض هذه الصفحة الآن',
  'notice.unavailable.text': 'لا تستطيع الخدمة قراءة بياناتها حاليًا. أعد تحميل هذه الصفحة بعد لحظات.',
  'notice.internal.title': 'حدث خطأ ما',
  'notice.internal.text': 'تعذّر على الخدمة عرض هذه الصفحة. أعد تحميل هذه الصفحة بعد لحظات.',
  'notice.link_invalid': 'هذا الرابط لا يعمل',
  'notice.link_expired': 'انتهت صلاحية هذا الرابط',
  'notice.invalid_request': 'لم يُحفظ هذا',
  'notice.conflict': 'لم يُنفَّذ هذا',
  'notice.new_link': 'احصل على رابط جديد',
  'notice.request': 'الطلب {id}',
}
