import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': 'Incidents et maintenances de {title}',
  'feed.status': 'État :',
  'feed.state': '{status}, {stage}',
}
