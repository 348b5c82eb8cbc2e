import type { TextsOf } from '../texts.ts'

export const page: TextsOf<'page'> = {
  'page.state.operational': 'Tous les systèmes sont opérationnels.',
  'page.state.status': '{status}.',
  'page.state.items': '{status} : {items}.',
  'page.state.noun_of_items': '{status} de {items}.',
  'page.items.more': '{count} autres',
  'page.password.title': 'Cette page demande un mot de passe',
  'page.password.label': 'Mot de passe',
  'page.password.button': 'Ouvrir la page',
  'page.password.wrong': 'Ce mot de passe n’est pas correct.',
}
