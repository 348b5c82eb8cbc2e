import type { TextsOf } from '../texts.ts'

export const embed: TextsOf<'embed'> = {
  'embed.badge.label': 'Status',
  'embed.unknown': 'unbekannt',
  'embed.open': 'Status von {page}',
  'embed.close': 'Schließen',
  'embed.calm': 'Keine Störungen und keine Wartungen.',
  'embed.page': 'Statusseite öffnen',
  'embed.move': 'Mit dem Zeiger verschieben oder mit der Umschalttaste und den Pfeiltasten',
  'embed.guide.title': 'Diesen Status anderswo zeigen',
  'embed.guide.intro': 'Kopieren Sie ein Stück Code in eine andere Seite. Was es zeigt, bleibt aktuell.',
  'embed.guide.badge': 'Abzeichen',
  'embed.guide.badge_text': 'Ein Bild für Dokumente und README-Dateien.',
  'embed.guide.widget': 'Karte',
  'embed.guide.widget_text': 'Eine Karte in einer Seite, an der Stelle der ersten Zeile.',
  'embed.guide.launcher': 'Schaltfläche',
  'embed.guide.launcher_text': 'Eine Schaltfläche in der Ecke einer Seite, die eine Liste öffnet.',
  'embed.guide.frame': 'Rahmen',
  'embed.guide.frame_text': 'Ein Dokument für Seiten, die keine Skripte zulassen.',
  'embed.guide.json': 'JSON für Abzeichen',
  'embed.guide.none': 'Die Einstellungen dieser Seite bieten nichts zum Einbetten an.',
  'embed.guide.preview': 'Vorschau',
}
