import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': '{title} の障害とメンテナンス',
  'feed.status': 'ステータス:',
  'feed.state': '{status}、{stage}',
}
