import type { TextsOf } from '../texts.ts'

export const feed: TextsOf<'feed'> = {
  'feed.description': 'Incidentes e manutenções de {title}',
  'feed.status': 'Estado:',
  'feed.state': '{status}, {stage}',
}
