import type { EntityManager } from '@mikro-orm/postgresql'
import { translationsOf } from './read.ts'
import { wordsIn } from './rules.ts'

interface Named {
  id: number
  name: string
}

/** The items with their published names in each of some languages, in one query; without a language, as they are. */
export async function itemNamesIn<I extends Named>(tx: EntityManager, items: I[], locales: string[]) {
  const translations = locales.length > 0 ? await translationsOf(tx, { item: items }) : () => []
  const inLanguage = (item: I, locale: string): I => {
    const published = translations('item', item.id).filter(({ state }) => state === 'published')
    return { ...item, name: wordsIn(locale, published).name ?? item.name }
  }
  return (locale: string | undefined) =>
    new Map(items.map((item) => [item.id, locale && locales.includes(locale) ? inLanguage(item, locale) : item]))
}
