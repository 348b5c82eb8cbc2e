import { describe, expect, test } from '@jest/globals'
import ICAL from 'ical.js'
import { documentOf, folded, localValue, textValue, uriValue, utcValue } from '../../src/calendar/text-rules.ts'

test.each([
  ['plain', 'plain'],
  ['a, b; c', 'a\\, b\\; c'],
  ['C:\\new', 'C:\\\\new'],
  ['one\ntwo\r\nthree\rfour', 'one\\ntwo\\nthree\\nfour'],
  ['one\u2028two\u0085three', 'one\\ntwo\\nthree'],
  ['tab\tstays', 'tab\tstays'],
  ['bell\u0007, null\u0000, escape\u001b, delete\u007f', 'bell\\, null\\, escape\\, delete'],
  ['END:VEVENT\r\nBEGIN:VEVENT', 'END:VEVENT\\nBEGIN:VEVENT'],
  ['half \ud83d of a character', 'half \ufffd of a character'],
  ['', ''],
])('the text %j is %j', (text, value) => {
  expect(textValue(text)).toBe(value)
})

test('an address has no line ends', () => {
  expect(uriValue('https://example.com/a b\r\nATTENDEE:x')).toBe('https://example.com/a%20b%0D%0AATTENDEE:x')
})

test('moments have whole seconds', () => {
  expect(utcValue('2026-11-23T12:00:59.999Z')).toBe('20261123T120059Z')
  expect(localValue(Date.UTC(2026, 0, 2, 3, 4))).toBe('20260102T030400')
})

describe('a long line', () => {
  const texts = [
    'a'.repeat(300),
    'ü'.repeat(200),
    '漢字'.repeat(100),
    '👩‍👩‍👧‍👦'.repeat(40),
    `${'a'.repeat(74)}é`,
    'x'.repeat(75),
  ]

  test.each(texts)('is folded at 75 octets, never within a character: %#', (text) => {
    const lines = folded(text).split('\r\n')
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    for (const line of lines) expect(line.isWellFormed()).toBe(true)
    for (const line of lines.slice(1)) expect(line).toMatch(/^ [^ ]/)
    expect(lines.map((line, index) => (index > 0 ? line.slice(1) : line)).join('')).toBe(text)
  })
})

test.each([
  'END:VCALENDAR\nX-EVIL:1',
  'a\\nb',
  '<script>alert(1)</script>, "quoted"; ^n',
  'https://example.com/?a=1,2;b=3',
  `${'ü'.repeat(100)}\n${'x'.repeat(100)}`,
])('another library reads the text %j as it was', (text) => {
  const lines = ['BEGIN:VEVENT', `SUMMARY:${textValue(text)}`, 'END:VEVENT']
  const root = new ICAL.Component(ICAL.parse(documentOf(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'])))
  const events = root.getAllSubcomponents()
  expect(events.map((event) => event.getAllProperties().map((one) => one.getFirstValue()))).toEqual([[text]])
})
