export const feed = {
  'feed.description': 'Incidents and maintenance of {title}',
  'feed.status': 'Status:',
} as const
