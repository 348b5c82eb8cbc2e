import type { EntityManager } from '@mikro-orm/postgresql'
import { languages } from '../../../languages/labels.ts'
import { languagesOf, requireKnown } from '../../translations/languages.ts'

/** The languages of mails: of the page, and of the labels of the service, also where the page has no texts. */
export async function localesForMails(tx: EntityManager): Promise<string[]> {
  const { original, offered } = await languagesOf(tx)
  return [...new Set([original, ...offered, ...Object.keys(languages)])]
}

/** Refuses a language in which neither the page nor the service has a word. A stored language stays. */
export async function requireLocaleForMails(
  tx: EntityManager,
  locale: string | null | undefined,
  stored: string | null = null,
): Promise<void> {
  if (!locale || locale === stored) return
  requireKnown(locale, await localesForMails(tx), 'a language of this page or of the service')
}
