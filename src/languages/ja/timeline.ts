import type { TextsOf } from '../texts.ts'

export const timeline: TextsOf<'timeline'> = {
  'timeline.incident.resolved': 'このインシデントは解決しました。',
  'timeline.incident.reopened': 'このインシデントの対応を再開しました。',
  'timeline.incident.status': '現在のステータスは「{status}」です。',
  'timeline.maintenance.in_progress': 'このメンテナンスを開始しました。',
  'timeline.maintenance.completed': 'このメンテナンスは完了しました。',
  'timeline.maintenance.cancelled': 'このメンテナンスは中止になりました。',
}
