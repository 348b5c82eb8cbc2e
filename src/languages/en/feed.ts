export const feed = {
  'feed.description': 'Incidents and maintenance of {title}',
  'feed.status': 'Status:',
  'feed.state': '{status}, {stage}',
} as const
