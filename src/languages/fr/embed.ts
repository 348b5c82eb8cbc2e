import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'état',
  'embed.unknown': 'inconnu',
  'embed.open': 'État de {page}',
  'embed.close': 'Fermer',
  'embed.calm': 'Aucun incident ni maintenance.',
  'embed.page': 'Ouvrir la page d’état',
  'embed.move': 'Déplacer avec le pointeur, ou avec Maj et les flèches',
  'embed.guide.title': 'Afficher cet état ailleurs',
  'embed.guide.intro': 'Copiez un extrait de code dans une autre page. Ce qu’il affiche reste à jour.',
  'embed.guide.badge': 'Insigne',
  'embed.guide.badge_text': 'Une image pour les documents et les fichiers README.',
  'embed.guide.widget': 'Carte',
  'embed.guide.widget_text': 'Une carte dans une page, à l’endroit de la première ligne.',
  'embed.guide.launcher': 'Bouton',
  'embed.guide.launcher_text': 'Un bouton dans le coin d’une page, qui ouvre une liste.',
  'embed.guide.frame': 'Cadre',
  'embed.guide.frame_text': 'Un document pour les pages qui n’autorisent aucun script.',
  'embed.guide.json': 'JSON pour insignes',
  'embed.guide.none': 'Les réglages de cette page ne proposent rien à intégrer.',
  'embed.guide.preview': 'Aperçu',
}
