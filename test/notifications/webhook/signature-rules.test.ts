import { expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../../src/domain/notifications/channels/webhook/signature-rules.ts'

const secret = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`
const body = '{"type":"incident.created","data":{"title":"Größe"}}'

test('the reference library verifies the signature', () => {
  const headers = signedHeaders('msg_5', new Date(), body, [secret(1)])
  expect(new Webhook(secret(1)).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret(2)).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(secret(1)).verify(body.replace('Gr', 'gr'), headers)).toThrow('No matching signature')
})

test('during a rotation either secret verifies the message', () => {
  const headers = signedHeaders('msg_5', new Date(), body, [secret(2), secret(1)])
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  for (const known of [secret(1), secret(2)]) expect(new Webhook(known).verify(body, headers)).toBeTruthy()
})

test('the signature is that of the reference library', () => {
  const at = new Date('2026-11-23T10:00:00.900Z')
  expect(signedHeaders('msg_5', at, body, [secret(1)])).toEqual({
    'webhook-id': 'msg_5',
    'webhook-timestamp': '1795428000',
    'webhook-signature': new Webhook(secret(1)).sign('msg_5', at, body),
  })
})
