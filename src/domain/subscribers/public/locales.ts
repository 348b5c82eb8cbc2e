import type { EntityManager } from '@mikro-orm/postgresql'
import { languages } from '../../../languages/labels.ts'
import { invalid } from '../../kernel/errors.ts'
import { languagesOf } from '../../translations/languages.ts'
import { fallbacksOf } from '../../translations/rules.ts'

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
  const known = await localesForMails(tx)
  if (fallbacksOf(locale).some((tag) => known.includes(tag))) return
  const message = `must be a language of this page or of the service, which are ${known.join(', ')}`
  throw invalid([{ path: 'locale', message }])
}
