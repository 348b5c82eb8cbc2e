import { expect, test } from '@jest/globals'
import { safeMarkdown, summaryOf, titleOf } from '../../../src/domain/agent/model/answer-text-rules.ts'

const OWN = 'https://status.example.com/'

test.each([
  ['**Checkout** is _slow_.\n- one\n- two', '**Checkout** is _slow_.\n- one\n- two'],
  ['[here](https://evil.example)', 'here'],
  ['![x](https://evil.example/?q=secret)', 'x'],
  ['[![x](https://evil.example/a)](https://evil.example/b)', 'x'],
  ['[x][1]\n\n[1]: https://evil.example', '[x][1]'],
  ['<https://evil.example|the report>', 'the report'],
  ['<!channel> and <@U123>', '!channel and @\u200bU123'],
  ['@here', '@\u200bhere'],
  ['https://evil.example/a', '(link removed)'],
  ['//evil.example/a', '(link removed)'],
  ['HTTPS://EVIL.EXAMPLE', '(link removed)'],
  ['www.evil.example', '(link removed)'],
  ['slack://open?x', '(link removed)'],
  ['https://status.example.com@evil.example/', '(link removed)'],
  ['https://status.example.com/status/shop', 'https://status.example.com/status/shop'],
  ['a\u202eb\u0000c', 'abc'],
])('%j is shown as %j', (text, expected) => expect(safeMarkdown(text, OWN)).toBe(expected))

test('long texts are cut', () => {
  expect([...safeMarkdown('😀'.repeat(5000), OWN)]).toHaveLength(4000)
  expect(titleOf('x'.repeat(100))).toHaveLength(80)
  expect(summaryOf('x'.repeat(400))).toHaveLength(300)
})

test.each([
  ['Version 1.2 is down. More follows.', 'Version 1.2 is down.'],
  ['No stop', 'No stop'],
  ['Two\nlines!', 'Two lines!'],
])('the summary of %j is %j', (text, expected) => expect(summaryOf(text)).toBe(expected))
