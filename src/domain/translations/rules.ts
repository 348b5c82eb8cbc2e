/** In which language a reader is answered, and what a record says in it: decided without a database. */

export interface Languages {
  /** What records are written in. */
  original: string
  /** What readers may choose from, the original included; nothing while the page gives its readers no translations. */
  offered: string[]
}

interface Wishes {
  /** What the request asks for by name; it comes before what the header says. */
  asked?: string
  /** `Accept-Language` as it was sent. */
  header?: string
}

interface Range {
  tag: string
  quality: number
}

/**
 * Lookup by RFC 4647, 3.4: the first wish that leads to an offered language, each wish shortened part by part before
 * the next is looked at. The original answers those whom nothing else does, even if they refuse it.
 */
export function negotiate({ original, offered }: Languages, { asked, header = '' }: Wishes): string {
  const ranges = acceptedRanges(header)
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag)
  const wanted = ranges.filter(({ quality }) => quality > 0).map(({ tag }) => tag)
  const acceptable = offered.filter((locale) => !isRefused(locale, wanted, refused))
  const byName = asked === undefined ? undefined : lookUp(asked, offered)
  return byName ?? firstOf(wanted, (tag) => lookUp(tag, acceptable)) ?? original
}

/** The language ranges of an `Accept-Language`, most wanted first; what cannot be read is passed over. */
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

/** A refused language takes its regions with it, unless one of them is wanted by name. */
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

/** `zh-Hant-TW`, `zh-Hant`, `zh`; a single letter only introduces what follows it, and goes with it. */
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

/** What is said in a locale field by field: what its own variant leaves out is taken from the more general one. */
export function wordsIn(locale: string, variants: Variant[]): Record<string, string> {
  const chain = fallbacksOf(locale)
  const found = chain.flatMap((tag) => variants.filter((variant) => variant.locale === tag))
  return Object.assign({}, ...found.reverse().map(({ values }) => values))
}
