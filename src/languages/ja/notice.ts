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
  'notice.link.incomplete': 'このリンクは不完全か、変更されています。メールのリンクをもう一度開いてください。',
  'notice.link.expired': 'このリンクの有効期限が切れています。',
  'notice.link.page_deleted': 'ページが削除されたため、このリンクは無効になりました。',
  'notice.link.subscription_deleted': '登録が削除されたため、このリンクは無効になりました。',
  'notice.link.newer_mail': '新しいメールに新しいリンクがあるため、このリンクは無効になりました。',
  'notice.link.unsubscribed': 'その後このアドレスの登録が解除されたため、このリンクは無効になりました。',
  'notice.link.switched_off':
    'このアドレスへのメールは停止されています。再開するにはページの管理者に連絡してください。',
  'notice.new_link': '新しいリンクを取得',
  'notice.request': 'リクエスト {id}',
}
