import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'Il n’y a pas de page ici',
  'notice.not_found.text': 'Vérifiez l’adresse.',
  'notice.rate_limited.title': 'Trop de requêtes',
  'notice.rate_limited.text': 'Attendez un instant, puis rechargez cette page.',
  'notice.unavailable.title': 'Cette page ne peut pas être affichée pour le moment',
  'notice.unavailable.text':
    'Le service ne peut pas lire ses données pour le moment. Rechargez cette page dans un instant.',
  'notice.internal.title': 'Une erreur est survenue',
  'notice.internal.text': 'Le service n’a pas pu afficher cette page. Rechargez cette page dans un instant.',
  'notice.link_invalid': 'Ce lien ne fonctionne pas',
  'notice.link_expired': 'Ce lien n’est plus valable',
  'notice.invalid_request': 'Rien n’a été enregistré',
  'notice.conflict': 'L’action n’a pas été effectuée',
  'notice.new_link': 'Obtenir un nouveau lien',
  'notice.request': 'Requête {id}',
}
