import { attributesOf, elementsOf } from './parse-feeds.ts'

/** A rule of a format: what of the document breaks the rule. */
export type FormatRule = [name: string, broken: (document: string) => unknown[]]

const count = (document: string, name: string, expected = 1): unknown[] => {
  const found = elementsOf(document, name).length
  return found === expected ? [] : [`${found} × ${name}`]
}
const not = (values: string[], isGood: (value: string) => boolean) => values.filter((value) => !isGood(value))
const doubled = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index)
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const isAbsolute = (address: string) => URL.canParse(unescaped(address))
const hasNoElements = (text: string) => !text.includes('<')
const isLanguage = (tag: string) => Intl.getCanonicalLocales(tag).length === 1
const isRfc3339 = (moment: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(moment)
const isRfc822 = (moment: string) =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/.test(
    moment,
  )
const XML_1_0 = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

/** The document without its entries, and the entries. */
function parts(document: string, name: 'entry' | 'item'): { head: string; entries: string[] } {
  return { head: document.replace(new RegExp(`<${name}>.*</${name}>`, 's'), ''), entries: elementsOf(document, name) }
}
const elementNames = (text: string) =>
  [...text.matchAll(/<([a-z]+(?::[a-z]+)?|[a-zA-Z]+)[\s>/]/g)].map(([, name]) => name!)

const xml: FormatRule[] = [
  [
    'XML 2.8: the document begins with its declaration',
    (d) => not([d], (all) => all.startsWith('<?xml version="1.0"')),
  ],
  ['XML 2.2: only characters of XML', (d) => not([d], (all) => XML_1_0.test(all))],
  ['XML 4.1: each & begins a reference of XML', (d) => d.match(/&(?!(?:amp|lt|gt|quot|#39);)/g) ?? []],
]

const inFeed = ['feed', 'id', 'title', 'subtitle', 'updated', 'author', 'name', 'link']
const inEntry = ['id', 'title', 'link', 'published', 'updated', 'category', 'content']

export const atomRules: FormatRule[] = [
  ...xml,
  [
    '2: the root is feed in the namespace of Atom',
    (d) => not(attributesOf(d, 'feed', 'xmlns'), (n) => n === 'http://www.w3.org/2005/Atom'),
  ],
  ['2: xml:lang is a language', (d) => not(attributesOf(d, 'feed', 'xml:lang'), isLanguage)],
  [
    '4.1.1: a feed has one id, one title and one updated',
    (d) => ['id', 'title', 'updated'].flatMap((name) => count(parts(d, 'entry').head, name)),
  ],
  ['4.1.1: a feed has an author, unless each entry has one', (d) => count(parts(d, 'entry').head, 'author')],
  [
    '4.1.1: a feed has no unknown elements',
    (d) => not(elementNames(parts(d, 'entry').head), (name) => inFeed.includes(name)),
  ],
  [
    '4.1.1: a feed has one link to itself',
    (d) => not([String(attributesOf(parts(d, 'entry').head, 'link', 'rel'))], (rels) => rels === 'self,alternate'),
  ],
  [
    '4.1.2: an entry has one id, one title, one updated, and one content',
    (d) =>
      parts(d, 'entry').entries.flatMap((entry) =>
        ['id', 'title', 'updated', 'published', 'content'].flatMap((name) => count(entry, name)),
      ),
  ],
  [
    '4.1.2: an entry has one alternate link',
    (d) => not(parts(d, 'entry').entries, (entry) => String(attributesOf(entry, 'link', 'rel')) === 'alternate'),
  ],
  [
    '4.1.2: an entry has no unknown elements',
    (d) => parts(d, 'entry').entries.flatMap((entry) => not(elementNames(entry), (name) => inEntry.includes(name))),
  ],
  ['4.1.3.3: content of the type html has no elements', (d) => not(elementsOf(d, 'content'), hasNoElements)],
  ['3.1.1: a title of the type text has no elements', (d) => not(elementsOf(d, 'title'), hasNoElements)],
  ['3.2.1: the author has a name', (d) => not(elementsOf(d, 'name'), (name) => name.trim() !== '')],
  ['3.3: dates are of RFC 3339', (d) => not([...elementsOf(d, 'updated'), ...elementsOf(d, 'published')], isRfc3339)],
  [
    '4.2.2: a category has a term',
    (d) => not(attributesOf(d, 'category', 'term'), (term) => /^(incident|maintenance)$/.test(term)),
  ],
  [
    '4.2.6: ids are absolute IRIs, and no two entries share one',
    (d) => [...not(elementsOf(d, 'id'), isAbsolute), ...doubled(elementsOf(d, 'id'))],
  ],
  ['4.2.7: links are absolute', (d) => not(attributesOf(d, 'link', 'href'), isAbsolute)],
  [
    '4.2.15: the feed is as new as its newest entry',
    (d) => {
      const [feed, ...entries] = elementsOf(d, 'updated')
      return entries.length === 0 || entries.sort().at(-1) === feed ? [] : [feed]
    },
  ],
  [
    'an entry was published before its update',
    (d) =>
      not(parts(d, 'entry').entries, (entry) => elementsOf(entry, 'published')[0]! <= elementsOf(entry, 'updated')[0]!),
  ],
]

const inChannel = ['rss', 'channel', 'title', 'link', 'description', 'language', 'lastBuildDate', 'docs', 'atom:link']
const inItem = ['title', 'link', 'guid', 'pubDate', 'category', 'description']

export const rssRules: FormatRule[] = [
  ...xml,
  [
    'the root is rss with its version',
    (d) => not([String(attributesOf(d, 'rss', 'version'))], (version) => version === '2.0'),
  ],
  ['there is one channel', (d) => count(d, 'channel')],
  [
    'a channel has one title, one link and one description',
    (d) =>
      ['title', 'link', 'description', 'language', 'lastBuildDate'].flatMap((name) =>
        count(parts(d, 'item').head, name),
      ),
  ],
  [
    'a channel has no unknown elements',
    (d) => not(elementNames(parts(d, 'item').head), (name) => inChannel.includes(name)),
  ],
  [
    'elements of other namespaces are declared',
    (d) => not(attributesOf(d, 'rss', 'xmlns:atom'), (n) => n === 'http://www.w3.org/2005/Atom'),
  ],
  [
    'a channel has a link to itself',
    (d) => not([String(attributesOf(d, 'atom:link', 'rel'))], (rel) => rel === 'self'),
  ],
  ['the language is a language', (d) => not(elementsOf(d, 'language'), isLanguage)],
  [
    'an item has a title, a link, a date and a description',
    (d) => parts(d, 'item').entries.flatMap((item) => inItem.flatMap((name) => count(item, name))),
  ],
  [
    'an item has no unknown elements',
    (d) => parts(d, 'item').entries.flatMap((item) => not(elementNames(item), (name) => inItem.includes(name))),
  ],
  [
    'titles and descriptions have no elements',
    (d) => not([...elementsOf(d, 'title'), ...elementsOf(d, 'description')], hasNoElements),
  ],
  [
    'a guid that is no address says so',
    (d) => not(attributesOf(d, 'guid', 'isPermaLink'), (value) => value === 'false'),
  ],
  ['no two items share a guid', (d) => doubled(elementsOf(d, 'guid'))],
  ['dates are of RFC 822', (d) => not([...elementsOf(d, 'pubDate'), ...elementsOf(d, 'lastBuildDate')], isRfc822)],
  ['links are absolute', (d) => not([...elementsOf(d, 'link'), ...attributesOf(d, 'atom:link', 'href')], isAbsolute)],
]
