import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'すべてのシステムは正常に稼働しています。',
  'page.state.status': '{status}。',
  'page.state.items': '{status}：{items}。',
  'page.state.noun_of_items': '{items}：{status}。',
  'page.items.more': '他{count}件',
  'page.password.title': 'このページの閲覧にはパスワードが必要です',
  'page.password.label': 'パスワード',
  'page.password.button': 'ページを開く',
  'page.password.wrong': 'パスワードが正しくありません。',
}
