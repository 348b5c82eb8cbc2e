import type { TextsOf } from '../texts.ts'

export const notice: TextsOf<'notice'> = {
  'notice.not_found.title': 'Hier ist keine Seite',
  'notice.not_found.text': 'Prüfen Sie die Adresse.',
  'notice.rate_limited.title': 'Zu viele Anfragen',
  'notice.rate_limited.text': 'Warten Sie einen Moment, und laden Sie diese Seite dann neu.',
  'notice.unavailable.title': 'Diese Seite kann gerade nicht gezeigt werden',
  'notice.unavailable.text': 'Der Dienst kann seine Daten zurzeit nicht lesen. Laden Sie diese Seite in Kürze neu.',
  'notice.internal.title': 'Etwas ist schiefgegangen',
  'notice.internal.text': 'Der Dienst konnte diese Seite nicht zeigen. Laden Sie diese Seite in Kürze neu.',
  'notice.link_invalid': 'Dieser Link funktioniert nicht',
  'notice.link_expired': 'Dieser Link gilt nicht mehr',
  'notice.invalid_request': 'Dies wurde nicht gespeichert',
  'notice.conflict': 'Dies wurde nicht ausgeführt',
  'notice.new_link': 'Einen neuen Link anfordern',
  'notice.request': 'Anfrage {id}',
}
