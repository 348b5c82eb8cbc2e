import { expect, test } from '@jest/globals'
import { canonicalLocale, isTimeZone, localeProblem } from '../../src/domain/settings/rules.ts'

test.each([
  ['en', 'en'],
  ['pt-br', 'pt-BR'],
  ['ZH-hans-cn', 'zh-Hans-CN'],
  ['de-1996', 'de-1996'],
  ['de_DE', undefined],
  ['e', undefined],
  ['en-', undefined],
  ['not a tag', undefined],
  ['', undefined],
])('the language tag "%s" is %s', (tag, canonical) => {
  expect(canonicalLocale(tag)).toBe(canonical)
})

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
])('"%s" is a time zone: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is)
})

test.each([
  ['en', [], undefined],
  ['en', ['de', 'en'], undefined],
  ['en', ['de', 'fr'], '"en" must be among supported_locales, which are de, fr'],
  ['en-GB', ['en'], '"en-GB" must be among supported_locales, which are en'],
])('a page in %s that supports %j', (document_locale, supported_locales, problem) => {
  expect(localeProblem({ document_locale, supported_locales })).toBe(problem)
})
