import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': 'Störungen und Wartungen von {title}',
  'feed.status': 'Status:',
  'feed.state': '{status}, {stage}',
}
