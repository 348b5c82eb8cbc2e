import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'Alle Systeme sind in Betrieb.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} bei {items}.',
  'page.items.more': '{count} weitere',
  'page.password.title': 'Für diese Seite ist ein Passwort nötig',
  'page.password.label': 'Passwort',
  'page.password.button': 'Seite öffnen',
  'page.password.wrong': 'Dieses Passwort ist nicht richtig.',
}
