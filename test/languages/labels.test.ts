import { expect, test } from '@jest/globals'
import { directionOf, labelsFor, languages } from '../../src/languages/labels.ts'

const { en, ...others } = languages

/** Texts that are the same as in English, by language. */
const same: Record<string, string[]> = {
  de: [
    'mail.subject.beat.stage_changed',
    'mail.subject.item.status_changed',
    'mail.fact.status',
    'page.state.status',
    'page.state.items',
  ],
  fr: ['status.maintenance', 'page.state.status'],
  es: ['mail.subject.beat.stage_changed', 'mail.subject.item.status_changed', 'page.state.status', 'page.state.items'],
  pt: ['mail.subject.beat.stage_changed', 'mail.subject.item.status_changed', 'page.state.status', 'page.state.items'],
  ja: ['mail.subject.beat.stage_changed', 'mail.subject.item.status_changed'],
  ar: ['mail.subject.beat.stage_changed', 'mail.subject.item.status_changed', 'page.state.status', 'page.state.items'],
}

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test.each(Object.entries(others))(
  '%s has every label, translated, with the placeholders of the English one',
  (name, texts) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en!).sort())
    const untranslated = Object.entries(texts).filter(([key, text]) => text === en![key as keyof typeof en])
    expect(untranslated.map(([key]) => key).sort()).toEqual(same[name]!.sort())
    for (const [key, text] of Object.entries(texts)) {
      expect([key, placeholders(text)]).toEqual([key, placeholders(en![key as keyof typeof en])])
    }
  },
)

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
