export const page = {
  'page.state.operational': 'All systems are operational.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} of {items}.',
  'page.items.more': '{count} more',
} as const
