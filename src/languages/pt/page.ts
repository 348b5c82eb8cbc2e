import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'Todos os sistemas estão operacionais.',
  'page.state.status': '{status}.',
  'page.state.items': '{status}: {items}.',
  'page.state.noun_of_items': '{status} em {items}.',
  'page.items.more': 'mais {count}',
  'page.password.title': 'Esta página requer uma senha',
  'page.password.label': 'Senha',
  'page.password.button': 'Abrir a página',
  'page.password.wrong': 'Esta senha não está correta.',
}
