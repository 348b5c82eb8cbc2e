import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'جميع الأنظمة تعمل بشكل طبيعي.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} في {items}.',
  'page.items.more': '{count} أخرى',
  'page.password.title': 'تتطلب هذه الصفحة كلمة مرور',
  'page.password.label': 'كلمة المرور',
  'page.password.button': 'فتح الصفحة',
  'page.password.wrong': 'كلمة المرور هذه غير صحيحة.',
}
