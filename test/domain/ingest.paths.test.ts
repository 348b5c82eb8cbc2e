import { expect, test } from '@jest/globals'
import { jsonPathOf, readRoot } from '../../src/domain/evaluation/path-roots.ts'
import { isRelativeMoment, relativeMoment } from '../../src/domain/evaluation/relative-moments.ts'
import { unwrapEnvelope } from '../../src/domain/evaluation/sns-envelope.ts'

test.each([
  ['$', { root: 'element', path: '$' }, '$'],
  ['$.a[0]', { root: 'element', path: '$.a[0]' }, '$.a[0]'],
  ['$nonsense', { root: 'element', path: '$nonsense' }, '$nonsense'],
  ['event.payload', { root: 'body', path: '$' }, '$'],
  ['event.payload.a.b', { root: 'body', path: '$.a.b' }, '$.a.b'],
  ["event.payload['a b']", { root: 'body', path: "$['a b']" }, "$['a b']"],
  ['event.payload..a', { root: 'body', path: '$..a' }, '$..a'],
  ["event.payload['a\nb']", { root: 'body', path: "$['a\nb']" }, "$['a\nb']"],
  ['event.received_at', { root: 'received_at' }, null],
  ['headers.X-Source', { root: 'header', name: 'x-source' }, null],
  ['headers.Sentry-Hook-Resource', { root: 'header', name: 'sentry-hook-resource' }, null],
  ['event.payloads', null, null],
  ['event.payload a', null, null],
  ['event.received_at.x', null, null],
  ['event', null, null],
  ['headers', null, null],
  ['headers.', null, null],
  ['headers.a b', null, null],
  ['headers.a\n', null, null],
  [' $.a', null, null],
  ['a.b', null, null],
  ['', null, null],
])('the path %j has the root %j', (path, rooted, jsonPath) => {
  expect(readRoot(path)).toEqual(rooted)
  expect(jsonPathOf(path)).toBe(jsonPath)
})

const NOW = Date.UTC(2026, 10, 22)

test.each<[unknown, number]>([
  ['-15m', NOW - 900_000],
  ['+15m', NOW + 900_000],
  ['-0s', NOW],
  ['+30s', NOW + 30_000],
  ['-2h', NOW - 7_200_000],
  ['-7d', NOW - 604_800_000],
  ['-999999s', NOW - 999_999_000],
])('the relative moment %j is %j', (value, moment) => {
  expect(relativeMoment(value, NOW)).toBe(moment)
  expect(isRelativeMoment(value)).toBe(true)
})

test.each([
  ...['15m', '-15', '-m', '-1.5h', '-15M', '-15w', ' -15m', '-15m ', '-15m\n', '--15m', '-1000000s', ''],
  ...['2026-11-22T10:00:00Z', -15, null, true, undefined],
])('%j is no relative moment and stays', (value) => {
  expect(relativeMoment(value, NOW)).toBe(value)
  expect(isRelativeMoment(value)).toBe(false)
})

const envelope = (Message: unknown, others: object = {}) => ({
  ...{ Type: 'Notification', MessageId: 'm', TopicArn: 'arn:aws:sns:eu-west-1:1:t', Message },
  ...others,
})

test.each<[string, Record<string, unknown>, unknown]>([
  ['an object', envelope('{"AlarmName":"a"}'), { AlarmName: 'a' }],
  ['a list', envelope(' [1,2]'), [1, 2]],
  ['a text', envelope('CPU is high'), 'CPU is high'],
  ['a number', envelope('17'), '17'],
  ['broken JSON', envelope('{"a":'), '{"a":'],
  ['an object that is no text', envelope({ a: 1 }), { a: 1 }],
  ['no envelope without a topic', { ...envelope('{"a":1}'), TopicArn: undefined }, '{"a":1}'],
  ['no envelope without an id', { ...envelope('{"a":1}'), MessageId: 5 }, '{"a":1}'],
])('the message of an envelope with %s is read', (_title, body, message) => {
  expect(unwrapEnvelope(body)).toEqual({ body: { ...body, Message: message }, confirmationUrl: null })
})

const confirmation = (SubscribeURL: unknown, Type = 'SubscriptionConfirmation') =>
  unwrapEnvelope(envelope('Confirm', { Type, SubscribeURL })).confirmationUrl

test.each([
  'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&x=1',
  'https://sns.cn-north-1.amazonaws.com.cn/?Action=ConfirmSubscription',
])('%s confirms a subscription', (url) => {
  expect(confirmation(url)).toBe(url)
  expect(confirmation(url, 'Notification')).toBe(null)
  expect(confirmation(url, 'UnsubscribeConfirmation')).toBe(null)
})

test.each([
  'http://sns.eu-west-1.amazonaws.com/',
  'https://sns.eu-west-1.amazonaws.com.evil.example/',
  'https://evil.example/sns.eu-west-1.amazonaws.com',
  'https://sns.eu-west-1.amazonaws.com:8443/',
  'https://user@sns.eu-west-1.amazonaws.com/',
  'https://s3.eu-west-1.amazonaws.com/',
  'https://sns.a.b.amazonaws.com/',
  'not a url',
  17,
  undefined,
])('%j confirms no subscription', (url) => expect(confirmation(url)).toBe(null))
