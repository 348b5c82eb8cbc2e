import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { MASK, redact, redactText } from '../../src/outbound/redaction-rules.ts'

test.each([
  'password',
  'PassWord',
  'DB_PASSWORD',
  'dbPassword',
  'x-api-key',
  'apiKey',
  'APIKEY',
  'Authorization',
  'Set-Cookie',
  'session_id',
  'groupKey',
  'dedup_key',
  'incident_key',
  'client.secret',
  'clientSecret2',
  'jwt',
  'sig',
])('the value of %s is masked at any depth, in lists, and in JSON inside texts', (name) => {
  for (const value of ['hunter2', 0, false, '', ['hunter2'], { a: { b: 'hunter2' } }]) {
    expect(redact({ [name]: value })).toEqual({ [name]: MASK })
    expect(redact([[{ a: { [name]: value, kept: 1 } }]])).toEqual([[{ a: { [name]: MASK, kept: 1 } }]])
    const inside = redact({ text: JSON.stringify({ in: [{ [name]: value }] }) }) as { text: string }
    expect(JSON.parse(inside.text)).toEqual({ in: [{ [name]: MASK }] })
    const twice = redact({ text: JSON.stringify({ text: JSON.stringify({ [name]: value }) }) }) as { text: string }
    expect(JSON.parse(JSON.parse(twice.text).text)).toEqual({ [name]: MASK })
  }
})

test('a null under the name of a secret stays, and so does a member named __proto__', () => {
  expect(redact({ token: null })).toEqual({ token: null })
  const event: unknown = JSON.parse('{"__proto__": {"token": "hunter2", "kept": 1}}')
  expect(JSON.stringify(redact(event))).toBe(`{"__proto__":{"token":"${MASK}","kept":1}}`)
})

test.each([
  ['password=hunter2', `password=${MASK}`],
  ['DB_PASSWORD: hunter2, retried', `DB_PASSWORD: ${MASK}, retried`],
  ['failed with "password": "two words" at 10:00', `failed with "password": "${MASK}" at 10:00`],
  ["failed with 'token' = 'two words' at 10:00", `failed with 'token' = '${MASK}' at 10:00`],
  ['sent {\\"api_key\\": \\"hunter2\\"}', `sent {\\"api_key\\": \\"${MASK}"}`],
  ['Authorization: Bearer abcdefgh', `Authorization: Bearer ${MASK}`],
  ['authorization: bEARER opaque', `authorization: bEARER ${MASK}`],
  ['"Authorization": "Basic hunter two"', `"Authorization": "Basic ${MASK}"`],
  ['curl -H Bearer abc123def456', `curl -H Bearer ${MASK}`],
  ['curl -u basic dXNlcjpwYXNz', `curl -u basic ${MASK}`],
  ['Cookie: a=1; theme=dark', `Cookie: ${MASK}`],
  ['set-cookie: a=1; Path=/\nnext line', `set-cookie: ${MASK}\nnext line`],
  ['postgres://user:p%40ss@db:5432/shop', `postgres://${MASK}@db:5432/shop`],
  ['https://x.example/?a=1&sig=abc&b=2', `https://x.example/?a=1&sig=${MASK}&b=2`],
  ['https://x.example/?X-Amz-Signature=abc#top', `https://x.example/?X-Amz-Signature=${MASK}#top`],
  ['id AKIAABCDEFGHIJKLMNOP was used', `id ${MASK} was used`],
  ['ghp_abcdefghijklmnopqrstuvwxyz', MASK],
  ['xoxb-123456789012-abcdef', MASK],
  ['the token upi_abcdefghijklmnopqrstuv', `the token ${MASK}`],
  ['/status/a?access=upl_abcdefghijklmnopqrstuv', `/status/a?access=${MASK}`],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig', `jwt ${MASK}`],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', MASK],
  ['{"a": "password=hunter2"}', `{"a":"password=${MASK}"}`],
])('the text %j is redacted to %j', (text, redacted) => {
  expect(redactText(text)).toBe(redacted)
  expect(redact({ a: [text] })).toEqual({ a: [redacted] })
})

test.each([
  'CPU of shop-1 is at 99 %',
  'The password reset is slow',
  'The API key expired',
  'basic authentication failed 12 times',
  'Basic Information about the bearer network',
  'a token ring and a bearer of bad news',
  'passengers: 12, tokens per second',
  'https://grafana.example/d/abc/shop?orgId=1&from=now-1h&viewPanel=4',
  'mailto:team@shop.example',
  'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop-errors',
  '2026-11-22T10:00:00+00:00 shop@eu-1',
  '[host:shop-1] is down',
  '{not json}',
  '{ "id": 12345678901234567890, "ratio": 1.0 }',
  '[1, 2]',
  '',
])('the text %j stays as it is', (text) => {
  expect(redactText(text)).toBe(text)
  expect(redact({ a: text })).toEqual({ a: text })
})

test('redacting a redacted copy changes nothing', () => {
  const words = fc.constantFrom(
    'password',
    'token',
    '=',
    ': ',
    '"',
    "'",
    '\\',
    'Bearer ',
    'abc123DEF',
    '?sig=',
    '&',
    '{',
    '}',
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  const names = fc.oneof(fc.constantFrom('token', 'name', 'apiKey'), fc.string())
  const { event } = fc.letrec((tie) => ({
    event: fc.oneof(
      { maxDepth: 3 },
      texts,
      fc.json(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('event')),
      fc.dictionary(names, tie('event')),
    ),
  }))
  fc.assert(
    fc.property(event, (one) => {
      const once = redact(one)
      expect(redact(once)).toEqual(once)
    }),
    { numRuns: 500 },
  )
})
