import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': 'Incidentes y mantenimientos de {title}',
  'feed.status': 'Estado:',
  'feed.state': '{status}, {stage}',
}
