import { expect, test } from '@jest/globals'
import { forbiddenUrl } from '../../../src/domain/notifications/forbidden-url.ts'

const own = (host: string, port: number) => port === 5432 && /^(localhost|127\.0\.0\.1)$/.test(host)
const places = (beatTargets: 'any' | 'public') => ({ beatTargets, ownPorts: { includes: own } })

test.each([
  'https://hooks.example.com/in?team=ops',
  'http://hooks.example.com:8080',
  'http://[2606:4700::1111]/',
  'https://1.1.1.1/',
  'https://größe.example/',
])('%s is allowed', (url) => {
  expect(forbiddenUrl(url, places('public'))).toBe(null)
})

test.each([
  [
    'https://user:pass@hooks.example.com/',
    'must not contain a user or a password: the signature identifies the sender',
  ],
  ['https://user@hooks.example.com/', 'must not contain a user or a password: the signature identifies the sender'],
  ['ftp://hooks.example.com/', 'must be a URL that starts with http:// or https://'],
  ['http://hooks.example.com:0/', 'must have a port from 1 to 65535, or none'],
  ['http://localhost:5432/', "localhost:5432 is a port of this service's own servers; nothing may connect to it"],
  ['http://0x7f.1:5432/', "127.0.0.1:5432 is a port of this service's own servers; nothing may connect to it"],
])('%s is refused everywhere', (url, message) => {
  for (const targets of ['any', 'public'] as const) expect(forbiddenUrl(url, places(targets))).toBe(message)
})

test.each([
  ['http://127.0.0.1/', '127.0.0.1 is a loopback address; only public addresses may be reached here'],
  ['http://2130706433/', '127.0.0.1 is a loopback address; only public addresses may be reached here'],
  ['http://10.1.2.3/', '10.1.2.3 is a private address; only public addresses may be reached here'],
  ['http://[::1]/', '[::1] is a loopback address; only public addresses may be reached here'],
])('%s is refused where only public addresses may be reached', (url, message) => {
  expect(forbiddenUrl(url, places('public'))).toBe(message)
  expect(forbiddenUrl(url, places('any'))).toBe(null)
})
