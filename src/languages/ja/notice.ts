import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'ページが見つかりません',
  'notice.not_found.text': 'アドレスをご確認ください。',
  'notice.rate_limited.title': 'リクエストが多すぎます',
  'notice.rate_limited.text': 'しばらく待ってから、このページを再読み込みしてください。',
  'notice.unavailable.title': '現在、このページを表示できません',
  'notice.unavailable.text':
    '現在、サービスがデータを読み取れません。しばらくしてから、このページを再読み込みしてください。',
  'notice.internal.title': 'エラーが発生しました',
  'notice.internal.text':
    'サービスがこのページを表示できませんでした。しばらくしてから、このページを再読み込みしてください。',
  'notice.link_invalid': 'このリンクは使えません',
  'notice.link_expired': 'このリンクは有効期限が切れています',
  'notice.invalid_request': '保存されませんでした',
  'notice.conflict': '実行されませんでした',
  'notice.new_link': '新しいリンクを取得',
  'notice.request': 'リクエスト {id}',
}
