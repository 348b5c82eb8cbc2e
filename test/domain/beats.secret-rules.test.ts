import { expect, test } from '@jest/globals'
import { isSecretName, secretsOf, shownUrl, withoutSecrets } from '../../src/outbound/secret-rules.ts'

test.each([
  ...[
    'Authorization',
    'authorization',
    'Proxy-Authorization',
    'Cookie',
    'Set-Cookie',
    'X-Api-Key',
    'X-API-KEY',
    'apikey',
  ],
  ...['X-Auth', 'X-Auth-Token', 'access_token', 'client_secret', 'X-Vault-Token', 'password', 'passwd', 'db-password'],
  ...['X-Signature', 'sig', 'session_id', 'jwt', 'Ocp-Apim-Subscription-Key', 'private_key', 'credentials', 'key'],
  ...[
    'pass',
    'db_pwd',
    'X-Pass',
    'X-DB-Pwd',
    'dbpwd',
    'X-Bearer',
    'X-Pin',
    'userPIN',
    'DBPass',
    'dbPass2',
    'otp',
    'x.otp',
  ],
  ...['X-Basic-Auth', 'passcode', 'creds', 'cvv'],
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true))

test.each([
  ...['Accept', 'Content-Type', 'User-Agent', 'Host', 'author', 'X-Request-Id', 'page', 'keyword', 'Origin'],
  ...['passenger', 'bypass', 'X-Bypass-Cache', 'pinned', 'spin', 'compass', 'ping', 'passive', 'opinion', 'bearerless'],
])('%s is not the name of a secret', (name) => expect(isSecretName(name)).toBe(false))

test('a URL is shown without its secrets', () => {
  expect(shownUrl('https://u:p@a.example/x?token=abc&page=2&api_key=d')).toBe(
    'https://a.example/x?token=•••&page=2&api_key=•••',
  )
  expect(shownUrl('https://a.example/x?q=a%20b')).toBe('https://a.example/x?q=a%20b')
})

test('secrets are masked in every spelling, the longest first', () => {
  const headers = {
    Authorization: 'Basic dXNlcjpwYXNz',
    Cookie: 'a=first1; b=second',
    'X-Api-Key': 'say "hi"',
    Accept: 'text/html',
  }
  const secrets = secretsOf({ url: 'https://a.example/?token=a%20b%2Fc&q=plain', headers })
  const said = 'dXNlcjpwYXNz first1 second say \\"hi\\" a b/c a%20b%2Fc text/html plain Basic dXNlcjpwYXNz'
  expect(withoutSecrets(said, secrets)).toBe('••• ••• ••• ••• ••• ••• text/html plain •••')
})
