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
  'notice.link.incomplete':
    'Dieser Link ist unvollständig oder wurde verändert. Öffnen Sie den Link in der E-Mail noch einmal.',
  'notice.link.expired': 'Dieser Link ist abgelaufen.',
  'notice.link.page_deleted': 'Dieser Link gilt nicht mehr, weil die Seite gelöscht wurde.',
  'notice.link.subscription_deleted': 'Dieser Link gilt nicht mehr, weil das Abonnement gelöscht wurde.',
  'notice.link.newer_mail': 'Dieser Link gilt nicht mehr, weil eine neuere E-Mail einen neueren Link hat.',
  'notice.link.unsubscribed': 'Dieser Link gilt nicht mehr, weil die Adresse danach abgemeldet wurde.',
  'notice.link.switched_off':
    'E-Mails an diese Adresse sind abgeschaltet. Bitten Sie die Betreiber der Seite, die Adresse wieder freizugeben.',
  'notice.new_link': 'Einen neuen Link anfordern',
  'notice.request': 'Anfrage {id}',
}
