import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { webhookEvents } from '../../src/domain/notifications/channels/webhook/schema.ts'
import { signedHeaders } from '../../src/domain/notifications/channels/webhook/signature-rules.ts'

const document = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...document.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)
const examples = blocks('json').map((text) => JSON.parse(text))

test('the document has one example of each event', () => {
  expect(examples.map(({ type }) => type).toSorted()).toEqual(webhookEvents.flatMap(({ keys }) => keys).toSorted())
})

test.each(examples.map((example) => [example.type, example]))('the example of %s has its schema', (type, example) => {
  const { body } = webhookEvents.find(({ keys }) => (keys as readonly string[]).includes(type))!
  expect(body.safeParse(example).error?.issues).toBeUndefined()
  expect(example.data.sequence).toBe(example.data.event_id)
})

test('the verification by hand accepts a signed message and refuses others', async () => {
  const code = blocks('js').find((text) => text.includes('isGenuine'))!
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
  const other = `whsec_${Buffer.alloc(24, 4).toString('base64')}`
  const now = new Date('2027-03-01T10:00:00Z')
  const headers = signedHeaders('msg_1', now, '{}', [other, secret])
  expect(isGenuine(secret, headers, '{}', now.getTime())).toBe(true)
  expect(isGenuine(secret, headers, '{ }', now.getTime())).toBe(false)
  expect(isGenuine(secret, headers, '{}', now.getTime() + 301_000)).toBe(false)
  expect(isGenuine(`whsec_${Buffer.alloc(24, 5).toString('base64')}`, headers, '{}', now.getTime())).toBe(false)
})
