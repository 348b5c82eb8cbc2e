import { parseFeed } from 'feedsmith'
import Parser from 'rss-parser'

/** An entry as a program for feeds reads it. */
export interface ReadEntry {
  id: string
  title: string
  link: string
  published: string
  content: string
}

const iso = (moment: string | undefined) => new Date(moment ?? '').toISOString().replace(/\.\d{3}Z$/, 'Z')

/** Reads with a parser on `sax`, which refuses what is not well-formed. */
async function byRssParser(document: string): Promise<ReadEntry[]> {
  const parser = new Parser<object, { id?: string }>()
  const { items } = await parser.parseString(document)
  return items.map(({ guid, id, title = '', link = '', isoDate, content = '' }) => {
    return { id: guid ?? id ?? '', title, link, published: iso(isoDate), content }
  })
}

/** Reads with a parser on `fast-xml-parser`. */
function byFeedsmith(document: string): ReadEntry[] {
  const { format, feed } = parseFeed(document)
  if (format === 'rss') {
    return (feed.items ?? []).map(({ guid, title = '', link = '', pubDate, description = '' }) => {
      return { id: guid?.value ?? '', title, link, published: iso(pubDate as string), content: description }
    })
  }
  if (format !== 'atom') throw new Error(`The document is a feed of the format ${format}.`)
  return (feed.entries ?? []).map(({ id = '', title, links = [], published, content }) => ({
    id,
    title: textOf(title),
    link: links.find(({ rel }) => rel === 'alternate')?.href ?? '',
    published: iso(published as string),
    content: textOf(content),
  }))
}

const textOf = (text: unknown): string =>
  typeof text === 'string' ? text : String((text as { value?: unknown } | undefined)?.value ?? '')

export const parsers = { 'rss-parser': byRssParser, feedsmith: async (document: string) => byFeedsmith(document) }

/** The contents of all elements of a name. Texts are escaped, so a `<` begins an element. */
export const elementsOf = (document: string, name: string): string[] =>
  [...document.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)

/** The values of an attribute of all elements of a name. */
export const attributesOf = (document: string, name: string, attribute: string): string[] =>
  [...document.matchAll(new RegExp(`<${name}\\s[^>]*?\\b${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
