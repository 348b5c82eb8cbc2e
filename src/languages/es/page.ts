import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'Todos los sistemas están operativos.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} en {items}.',
  'page.items.more': '{count} más',
  'page.password.title': 'Esta página requiere una contraseña',
  'page.password.label': 'Contraseña',
  'page.password.button': 'Abrir la página',
  'page.password.wrong': 'Esta contraseña no es correcta.',
}
