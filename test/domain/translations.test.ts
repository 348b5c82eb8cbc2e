import { describe, expect, test } from '@jest/globals'
import { acceptedRanges, fallbacksOf, negotiate, wordsIn } from '../../src/domain/translations/rules.ts'

describe('a page in en that offers de, de-CH, pt-BR and zh-Hant answers', () => {
  const languages = { original: 'en', offered: ['en', 'de', 'de-CH', 'pt-BR', 'zh-Hant'] }

  test.each([
    ['nothing', '', 'en'],
    ['a language', 'de', 'de'],
    ['a region that is offered', 'de-CH', 'de-CH'],
    ['a region that is not', 'de-AT', 'de'],
    ['another spelling', 'DE-at', 'de'],
    ['a script and a region', 'zh-Hant-TW', 'zh-Hant'],
    ['a private part', 'de-x-formal', 'de'],
    ['a language that is offered in another region only', 'pt', 'en'],
    ['a language that is not offered', 'fr', 'en'],
    ['the first that is offered', 'fr, de', 'de'],
    ['the original before others', 'en-GB, de;q=0.9', 'en'],
    ['a weight', 'en;q=0.5, de;q=0.9', 'de'],
    ['the same weight twice', 'pt-BR;q=0.8, de;q=0.8', 'pt-BR'],
    ['a wish, shortened before the next is looked at', 'de-AT, pt-BR', 'de'],
    ['anything', '*', 'en'],
    ['anything else', 'fr, *;q=0.5', 'en'],
    ['a refusal', 'de;q=0, pt-BR;q=0.1', 'pt-BR'],
    ['a refusal of what a wish would be shortened to', 'de-AT, de;q=0, pt-BR;q=0.5', 'pt-BR'],
    ['a refusal, but for one region', 'de-CH, de;q=0', 'de-CH'],
    ['a refusal of everything', '*;q=0, en;q=0', 'en'],
    ['spaces', ' fr ; q = 1 ,  de ; q = 0.5 ', 'de'],
    ['nonsense', ';;,,q=1,de_DE,%00', 'en'],
    ['a weight that is none', 'de;q=2, pt-BR;q=0.1', 'pt-BR'],
  ])('%s: %s', (_case, header, expected) => {
    expect(negotiate(languages, { header })).toBe(expected)
  })

  test.each([
    ['de', '', 'de'],
    ['de', 'pt-BR', 'de'],
    ['de-AT', 'pt-BR', 'de'],
    ['en', 'de', 'en'],
    ['de', 'de;q=0', 'de'],
    ['fr', 'pt-BR', 'pt-BR'],
    ['fr', '', 'en'],
  ])('locale=%s before Accept-Language: %s', (asked, header, expected) => {
    expect(negotiate(languages, { asked, header })).toBe(expected)
  })

  test('what was settled on, when it is asked for again', () => {
    for (const asked of languages.offered) expect(negotiate(languages, { asked })).toBe(asked)
  })
})

test('a page that offers nothing answers in the language that it is written in', () => {
  expect(negotiate({ original: 'fr', offered: [] }, { asked: 'de', header: 'de, en' })).toBe('fr')
})

test('the ranges of a header come by weight, then as they were written', () => {
  expect(acceptedRanges('a;q=0.1, b, c;q=1.000, d;q=0.1, e;q=0')).toEqual([
    { tag: 'b', quality: 1 },
    { tag: 'c', quality: 1 },
    { tag: 'a', quality: 0.1 },
    { tag: 'd', quality: 0.1 },
    { tag: 'e', quality: 0 },
  ])
})

test.each([
  ['de', ['de']],
  ['zh-Hant-TW', ['zh-Hant-TW', 'zh-Hant', 'zh']],
  ['de-CH-x-phonebk', ['de-CH-x-phonebk', 'de-CH', 'de']],
])('%s falls back by %j', (locale, expected) => {
  expect(fallbacksOf(locale)).toEqual(expected)
})

describe('the translated fields of a record', () => {
  const variants: { locale: string; values: Record<string, string> }[] = [
    { locale: 'de', values: { title: 'Störung', impact: 'Alle' } },
    { locale: 'de-AT', values: { title: 'Ausfall' } },
    { locale: 'fr', values: { title: 'Panne' } },
  ]
  test.each([
    ['de-AT', { title: 'Ausfall', impact: 'Alle' }],
    ['de', { title: 'Störung', impact: 'Alle' }],
    ['de-CH', { title: 'Störung', impact: 'Alle' }],
    ['fr', { title: 'Panne' }],
    ['en', {}],
  ])('in %s', (locale, expected) => {
    expect(wordsIn(locale, variants)).toEqual(expected)
  })
})
