import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'ステータス',
  'embed.unknown': '不明',
  'embed.open': '{page} のステータス',
  'embed.close': '閉じる',
  'embed.calm': 'インシデントもメンテナンスもありません。',
  'embed.page': 'ステータスページを開く',
  'embed.move': 'ポインターで移動、または Shift キーと矢印キーで移動',
  'embed.guide.title': 'このステータスを他の場所に表示',
  'embed.guide.intro': 'コードを他のページにコピーしてください。表示内容は常に最新です。',
  'embed.guide.badge': 'バッジ',
  'embed.guide.badge_text': '文書や README ファイル用の画像です。',
  'embed.guide.widget': 'ウィジェット',
  'embed.guide.widget_text': '1行目の位置に表示されるカードです。',
  'embed.guide.launcher': 'ランチャー',
  'embed.guide.launcher_text': 'ページの隅に表示され、一覧を開くボタンです。',
  'embed.guide.frame': 'フレーム',
  'embed.guide.frame_text': 'スクリプトを許可しないページ用の文書です。',
  'embed.guide.json': 'バッジ用 JSON',
  'embed.guide.none': 'このページの設定では、埋め込めるものがありません。',
  'embed.guide.preview': 'プレビュー',
}
