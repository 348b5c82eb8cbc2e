import { describe, expect, test } from '@jest/globals'
import { hasMask, mergeSecrets, splitSecrets } from '../../src/domain/beats/targets/split-secrets-rules.ts'

const url = 'https://api.example.com/v1?page=2&token=abcdef'
const whole = {
  url,
  method: 'POST',
  headers: { Authorization: 'Bearer s3cret', Accept: 'text/plain' },
  client_certificate: { certificate: 'PEM', key: 'PRIVATE' },
}

describe('a split target', () => {
  test('has no secret in its visible part', () => {
    const { shown, secrets } = splitSecrets(whole)
    expect(shown).toEqual({
      url: 'https://api.example.com/v1?page=2&token=•••',
      method: 'POST',
      headers: { Authorization: '•••', Accept: 'text/plain' },
      client_certificate: { certificate: 'PEM', key: '•••' },
    })
    expect(secrets).toEqual({
      url,
      'headers/Authorization': 'Bearer s3cret',
      'client_certificate/key': 'PRIVATE',
    })
  })

  test('the public part and the secrets of a target merge to the whole target', () => {
    const { shown, secrets } = splitSecrets(whole)
    expect(mergeSecrets(shown, secrets)).toEqual(whole)
    expect(shown.headers).toEqual({ Authorization: '•••', Accept: 'text/plain' })
  })

  test.each([
    ['no secrets', { host: 'example.com', port: 443 }],
    ['a plain URL', { url: 'https://example.com/a%20b?x=1' }],
    ['a URL that is written in another way than it is read', { url: 'HTTPS://EXAMPLE.com' }],
    ['an empty secret', { url: 'https://example.com', headers: { 'X-Api-Key': '' } }],
  ])('has no secrets with %s', (_what, target) => {
    expect(splitSecrets(target)).toEqual({ shown: target, secrets: {} })
  })

  test('keeps a header with a slash in its value, and a header with the name of a path', () => {
    const target = { url: 'https://example.com', headers: { 'X-Token': 'a/b', cookie: 'c=d' } }
    const { shown, secrets } = splitSecrets(target)
    expect(mergeSecrets(shown, secrets)).toEqual(target)
  })

  test('keeps new values, drops absent secrets, and replaces masks by stored secrets', () => {
    const { secrets } = splitSecrets(whole)
    const said = { url: 'https://other.example.com/', headers: { Authorization: 'Bearer new', Cookie: '•••' } }
    expect(mergeSecrets(said, secrets)).toEqual(said)
    expect(mergeSecrets({ url, headers: { Authorization: '•••' } }, secrets)).toEqual({
      url,
      headers: { Authorization: 'Bearer s3cret' },
    })
  })

  test('seals the value of an assertion about a secret, and finds the value by the kind of the assertion', () => {
    const assertion = (path: string, value?: unknown) => ({ source: 'header', path, operator: 'equals', value })
    const list = [assertion('X-Token', 'a'), assertion('X-Token', 7), assertion('ETag', 'c'), assertion('X-Pin', null)]
    const { shown, secrets } = splitSecrets({ assertions: list })
    expect(shown).toEqual({ assertions: [assertion('X-Token', '•••'), assertion('X-Token', '•••'), ...list.slice(2)] })
    expect(mergeSecrets(shown, secrets)).toEqual({ assertions: list })
    const moved = [list[2], assertion('X-Token', '•••'), assertion('X-Token', 'new')]
    expect(mergeSecrets({ assertions: moved }, secrets)).toEqual({ assertions: [list[2], list[0], moved[2]] })
    const exists = { assertions: [{ source: 'header', path: 'X-Token', operator: 'exists', value: true }] }
    expect(splitSecrets(exists)).toEqual({ shown: exists, secrets: {} })
  })

  test('restores the masks of equal assertions only for the same number of assertions', () => {
    const alike = (value: unknown) => ({ source: 'json', path: '$.token', operator: 'not_equals', value })
    const whole = { assertions: [null, 'a', 'b'].map(alike) }
    const { shown, secrets } = splitSecrets(whole)
    expect(mergeSecrets(shown, secrets)).toEqual(whole)
    for (const said of [['•••'], ['•••', '•••', '•••'], [null, '•••']]) {
      expect(mergeSecrets({ assertions: said.map(alike) }, secrets)).toEqual({ assertions: said.map(alike) })
    }
  })

  test.each<[unknown]>([[{ toString: 1 }], [5], [null], [['a']]])('the assertion %j stays unchanged', (odd) => {
    const { secrets } = splitSecrets({
      assertions: [{ source: 'json', path: '$.token', operator: 'equals', value: 'a' }],
    })
    const said = { assertions: [odd, { path: odd, value: '•••' }, { source: odd, path: '$.token', value: '•••' }] }
    expect(mergeSecrets(said, secrets)).toEqual(said)
  })

  test('has a mask at any position', () => {
    expect(hasMask({ headers: { Cookie: '•••' } })).toBe(true)
    expect(hasMask({ url: 'https://example.com/?sig=•••' })).toBe(true)
    expect(hasMask({ url: 'https://example.com/' })).toBe(false)
  })
})
