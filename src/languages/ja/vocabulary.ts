import type { TextsOf } from '../texts.ts'

export const vocabulary: TextsOf<'vocabulary'> = {
  'status.operational': '正常稼働',
  'status.maintenance': 'メンテナンス',
  'status.degraded': '性能低下',
  'status.partial_outage': '一部停止',
  'status.major_outage': '大規模障害',
  'status.resolved': '解決済み',
  'status.scheduled': '予定',
  'status.in_progress': '進行中',
  'status.completed': '完了',
  'status.cancelled': '中止',
  'stage.healthy': '正常',
  'stage.warning': '警告',
  'stage.critical': '重大',
  'stage.unknown': '不明',
}
