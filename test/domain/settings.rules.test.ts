import { expect, test } from '@jest/globals'
import {
  addressesIn,
  canonicalLocale,
  canonicalZone,
  dateLocale,
  hasDates,
  isSecureAddress,
  isTimeZone,
  localeProblem,
  minutesIn,
} from '../../src/domain/settings/rules.ts'

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
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['GMT', 'GMT'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['EUROPE/BERLIN', 'Europe/Berlin'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['US/Eastern', 'US/Eastern'],
  ['us/eastern', 'America/New_York'],
  ['Mars/Olympus', undefined],
  ['+02:00', undefined],
  ['', undefined],
])('"%s" is the time zone %s', (name, canonical) => {
  expect(canonicalZone(name)).toBe(canonical)
  expect(isTimeZone(name)).toBe(canonical !== undefined)
})

test.each([
  ['de-CH', true],
  ['en-US', true],
  ['zz', false],
  ['tlh', false],
  ['de_DE', false],
])('dates are written in the language %s: %s', (tag, are) => {
  expect(hasDates(tag)).toBe(are)
})

test.each([
  ['en', [], undefined],
  ['en', ['de', 'en'], undefined],
  ['en', ['de', 'fr'], '"en" must be among supported_locales, which are de, fr'],
  ['en-GB', ['en'], '"en-GB" must be among supported_locales, which are en'],
])('a page in %s that supports %j', (document_locale, supported_locales, problem) => {
  expect(localeProblem({ document_locale, supported_locales })).toBe(problem)
})

test.each([
  [['de-CH', 'fr', 'en'], 'de-CH'],
  [['', 'fr', 'en'], 'fr'],
  [['tlh', 'xx', 'fr'], 'fr'],
  [['', 'en', 'de'], 'en-GB'],
  [['en-US', 'de'], 'en-US'],
  [['', 'tlh'], 'en-GB'],
])('dates are written in the way of the first of %j that is known', (wanted, locale) => {
  expect(dateLocale(...wanted)).toBe(locale)
})

test.each([
  ['', []],
  ['15', [15]],
  [' 1d, 2h,15m ', [1440, 120, 15]],
  ['15, 60, 15', [60, 15]],
  ['1D', [1440]],
  ['soon', undefined],
  ['15,', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['1.5h', undefined],
  ['91d', undefined],
  ['1,2,3,4,5,6,7,8,9,10,11', undefined],
])('the lead times %j are %j', (list, minutes) => {
  expect(minutesIn(list)).toEqual(minutes)
})

test.each([
  ['', []],
  ['a@example.com', ['a@example.com']],
  ['a@example.com, b@example.org;c@example.net', ['a@example.com', 'b@example.org', 'c@example.net']],
  ['a@example', undefined],
  ['a b@example.com', undefined],
])('the recipients %j are %j', (list, addresses) => {
  expect(addressesIn(list)).toEqual(addresses)
})

test.each([
  ['https://cdn.example.com/a.js?v=1', true],
  ['HTTPS://cdn.example.com:8443/a.js', true],
  ['https://[2001:db8::1]/a.js', true],
  ['https://münchen.example/a.png', true],
  ['https://*.example.com/a.js', false],
  ['https://%2A.example.com/a.js', false],
  ['https://*/a.js', false],
  ['https://example.com;script-src/a.js', false],
  ['https://user:pw@example.com/a.js', false],
  ['https://user@example.com/a.js', false],
  ['http://example.com/a.png', false],
  ['//example.com/a.png', false],
  ['https://', false],
  ['example.com', false],
])('a page may load from %s: %s', (address, is) => {
  expect(isSecureAddress(address)).toBe(is)
})
