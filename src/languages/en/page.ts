export const page = {
  'page.state.operational': 'All systems are operational.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} of {items}.',
  'page.items.more': '{count} more',
  'page.password.title': 'This page needs a password',
  'page.password.label': 'Password',
  'page.password.button': 'Open the page',
  'page.password.wrong': 'This password is not correct.',
} as const
