import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'このインシデントは解決しました。',
  'timeline.incident.reopened': 'このインシデントの対応を再開しました。',
  'timeline.incident.status': '現在のステータスは「{status}」です。',
  'timeline.maintenance.in_progress': 'このメンテナンスを開始しました。',
  'timeline.maintenance.completed': 'このメンテナンスは完了しました。',
  'timeline.maintenance.cancelled': 'このメンテナンスは中止になりました。',
  'timeline.beat.critical.title': '{items}の障害',
  'timeline.beat.critical.one': '{items}に障害が発生しています。原因を調査しています。',
  'timeline.beat.critical.many': '{items}に障害が発生しています。原因を調査しています。',
  'timeline.beat.critical.text': '障害を確認しました: {items}。原因を調査しています。',
  'timeline.beat.warning.title': '{items}の問題',
  'timeline.beat.warning.text': '問題を確認しました: {items}。原因を調査しています。',
  'timeline.beat.healthy.title_one': '{items}が復旧',
  'timeline.beat.healthy.title_many': '{items}が復旧',
  'timeline.beat.healthy.title_text': '復旧: {items}',
  'timeline.beat.healthy.one': '{items}は復旧しました。',
  'timeline.beat.healthy.many': '{items}は復旧しました。',
  'timeline.beat.healthy.text': '障害は解消しました: {items}。',
  'timeline.beat.service': 'このサービス',
}
