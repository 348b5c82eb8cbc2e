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
  'notice.link.incomplete': 'Ce lien est incomplet ou a été modifié. Ouvrez de nouveau le lien dans l’e-mail.',
  'notice.link.expired': 'Ce lien a expiré.',
  'notice.link.page_deleted': 'Ce lien n’est plus valable, car la page a été supprimée.',
  'notice.link.subscription_deleted': 'Ce lien n’est plus valable, car l’abonnement a été supprimé.',
  'notice.link.newer_mail': 'Ce lien n’est plus valable, car un e-mail plus récent contient un nouveau lien.',
  'notice.link.unsubscribed': 'Ce lien n’est plus valable, car l’adresse a été désinscrite depuis.',
  'notice.link.switched_off':
    'Les e-mails à cette adresse sont désactivés. Demandez au propriétaire de la page de la rétablir.',
  'notice.new_link': 'Obtenir un nouveau lien',
  'notice.request': 'Requête {id}',
}
