import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { directionOf, labelsFor, languages } from '../../src/languages/labels.ts'
import type { LabelKey } from '../../src/languages/texts.ts'

const { en, ...others } = languages

/** Texts that are the same as in English, by language. Texts without letters, such as `{title}: {status}`, need no line. */
const same: Record<string, string[]> = {
  de: [
    'feed.status',
    'mail.subject.beat.stage_changed',
    'mail.fact.status',
    'page.metrics.ms',
    'page.nav.home',
    'page.working.status',
  ],
  fr: [
    'subscription.manage.incident',
    'subscription.manage.maintenance',
    'page.metrics.ms',
    'page.nav.main',
    'page.search.incidents',
    'status.maintenance',
  ],
  es: ['mail.subject.beat.stage_changed', 'page.metrics.ms'],
  pt: ['mail.subject.beat.stage_changed', 'page.metrics.ms', 'page.nav.home', 'page.working.status'],
  ja: ['mail.subject.beat.stage_changed'],
  ar: ['mail.subject.beat.stage_changed'],
}

const hasLetters = (text: string) => /\p{L}/u.test(text.replace(/\{\w+\}/g, ''))
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
const english = (key: string) => en![key as LabelKey]!

describe.each(Object.entries(others))('%s', (name, texts) => {
  test('has every label and no other', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en!).sort())
  })

  test('differs from English, except where the list names the label', () => {
    const untranslated = Object.entries(texts).filter(([key, text]) => text === english(key) && hasLetters(text))
    expect(untranslated.map(([key]) => key).sort()).toEqual(same[name]!.sort())
  })

  test('has the placeholders of the English labels', () => {
    const found = Object.entries(texts).map(([key, text]) => [key, placeholders(text)])
    expect(found).toEqual(found.map(([key]) => [key, placeholders(english(key as string))]))
  })
})

test('a label that is not translated is shown in English', () => {
  const { 'page.items.more': kept } = languages.de!
  delete languages.de!['page.items.more']
  expect(labelsFor('de').text('page.items.more', { count: 2 })).toBe('2 more')
  languages.de!['page.items.more'] = kept
})

test('the code of the service uses each label that readers see', () => {
  const files = globSync('src/**/*.ts', { exclude: (path) => path.startsWith('src/languages') })
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const labels = Object.keys(en!).filter((key) => /^(page|notice|subscription|timeline)\./.test(key))
  // Some keys are made of parts and values: `subscription.${purpose}.title`.
  const templates = [...code.matchAll(/`((?:[a-z_]+\.)+\$\{\w+\}[\w.]*)`/g)].map(
    ([, parts = '']) => new RegExp(`^${parts.replaceAll('.', '\\.').replace(/\$\{\w+\}/, '[\\w.]+')}$`),
  )
  const isUsed = (key: string) => code.includes(`'${key}'`) || templates.some((template) => template.test(key))
  expect(labels.filter((key) => !isUsed(key))).toEqual([])
})

test.each([
  ['de-AT', 'de', 'Abmelden'],
  ['pt-BR', 'pt', 'Cancelar a inscrição'],
  ['ar', 'ar', 'ألغِ الاشتراك'],
  ['EN-us', 'en', 'Unsubscribe'],
  ['xx', 'en', 'Unsubscribe'],
  ['constructor', 'en', 'Unsubscribe'],
  ['', 'en', 'Unsubscribe'],
])('%s is read in %s', (locale, language, text) => {
  const labels = labelsFor(locale)
  expect([labels.language, labels.text('mail.footer.unsubscribe')]).toEqual([language, text])
})

test('a value that looks like a placeholder stays as written', () => {
  const { text } = labelsFor('en')
  expect(text('mail.subject.item.status_changed', { title: '{status}', status: 'Down' })).toBe('{status}: Down')
})

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['en', 'ltr'],
])('%s is written %s', (locale, direction) => expect(directionOf(locale)).toBe(direction))

test.each(Object.entries(languages.fr!))('in French no line ends within the guillemets of %s', (_key, text) => {
  expect(text).not.toMatch(/«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»/)
})

test.each([
  ['ar', 'متدهور، قيد التحقيق'],
  ['ja', 'متدهور、قيد التحقيق'],
  ['fr', 'متدهور, قيد التحقيق'],
])('in %s a state has the comma of the language', (locale, state) => {
  expect(labelsFor(locale).text('feed.state', { status: 'متدهور', stage: 'قيد التحقيق' })).toBe(state)
})

test('in German a feed calls the status as the page does', () => {
  const { text } = labelsFor('de')
  expect(text('feed.status')).toBe(`${text('page.working.status')}:`)
})
