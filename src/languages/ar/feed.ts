import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': 'الحوادث وأعمال الصيانة في {title}',
  'feed.status': 'الحالة:',
  'feed.state': '{status}، {stage}',
}
