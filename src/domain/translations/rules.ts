/** Rules of languages and translations. Pure: no database. */

export interface Languages {
  /** The language of records. */
  original: string
  /** The languages for readers, including the original; empty while readers get no translations. */
  offered: string[]
}

interface Wishes {
  /** The language of the query, which takes precedence over the header. */
  asked?: string
  /** The `Accept-Language` header. */
  header?: string
}

interface Range {
  tag: string
  quality: number
}

/**
 * Lookup by RFC 4647, 3.4: the first wish that leads to an offered language, where each wish is shortened part by part before
 * the next wish. Without a match the answer is in the original language, even if the request refuses it.
 */
export function negotiate({ original, offered }: Languages, { asked, header = '' }: Wishes): string {
  const ranges = acceptedRanges(header)
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag)
  const wanted = ranges.filter(({ quality }) => quality > 0).map(({ tag }) => tag)
  const acceptable = offered.filter((locale) => !isRefused(locale, wanted, refused))
  const byName = asked === undefined ? undefined : lookUp(asked, offered)
  return byName ?? firstOf(wanted, (tag) => lookUp(tag, acceptable)) ?? original
}

/** The language ranges of an `Accept-Language` header, most wanted first, without invalid ranges. */
export function acceptedRanges(header: string): Range[] {
  return header
    .split(',')
    .flatMap((part) => {
      const [, tag, quality = '1'] = RANGE.exec(part.trim()) ?? []
      return tag === undefined ? [] : { tag: tag.toLowerCase(), quality: Number(quality) }
    })
    .sort((a, b) => b.quality - a.quality)
}

const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/** A refused language also refuses its regions, unless a region is wanted by name. */
function isRefused(locale: string, wanted: string[], refused: string[]): boolean {
  const tag = locale.toLowerCase()
  return !wanted.includes(tag) && refused.some((range) => tag === range || tag.startsWith(`${range}-`))
}

function lookUp(range: string, offered: string[]): string | undefined {
  return firstOf(fallbacksOf(range.toLowerCase()), (tag) => offered.find((locale) => locale.toLowerCase() === tag))
}

function firstOf<A, B>(list: A[], find: (one: A) => B | undefined): B | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** `zh-Hant-TW`, `zh-Hant`, `zh`; a single letter is removed together with the part that follows. */
export function fallbacksOf(locale: string): string[] {
  const parts = locale.split('-')
  return parts
    .map((_part, index) => parts.slice(0, parts.length - index))
    .filter((shorter) => shorter.length === parts.length || shorter.at(-1)!.length > 1)
    .map((shorter) => shorter.join('-'))
}

interface Variant {
  locale: string
  values: Record<string, string>
}

/** The fields of a record in a locale: a field that the variant omits comes from the more general variant. */
export function wordsIn(locale: string, variants: Variant[]): Record<string, string> {
  const chain = fallbacksOf(locale)
  const found = chain.flatMap((tag) => variants.filter((variant) => variant.locale === tag))
  return Object.assign({}, ...found.reverse().map(({ values }) => values))
}
