import { describe, expect, test } from '@jest/globals'
import { isHidden, mergeSecrets, splitSecrets } from '../../src/domain/beats/targets/split-secrets-rules.ts'

const url = 'https://api.example.com/v1?page=2&token=abcdef'
const whole = {
  url,
  method: 'POST',
  headers: { Authorization: 'Bearer s3cret', Accept: 'text/plain' },
  client_certificate: { certificate: 'PEM', key: 'PRIVATE' },
}

describe('a target in two halves', () => {
  test('nothing that is secret is left in what is shown', () => {
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

  test('together they are the target again', () => {
    const { shown, secrets } = splitSecrets(whole)
    expect(mergeSecrets(shown, secrets)).toEqual(whole)
    expect(shown.headers).toEqual({ Authorization: '•••', Accept: 'text/plain' })
  })

  test.each([
    ['no secrets', { host: 'example.com', port: 443 }],
    ['a plain URL', { url: 'https://example.com/a%20b?x=1' }],
    ['a URL that is written in another way than it is read', { url: 'HTTPS://EXAMPLE.com' }],
    ['an empty secret', { url: 'https://example.com', headers: { 'X-Api-Key': '' } }],
  ])('with %s there is nothing to seal', (_what, target) => {
    expect(splitSecrets(target)).toEqual({ shown: target, secrets: {} })
  })

  test('a header with a slash in its value, and one named like the path of another', () => {
    const target = { url: 'https://example.com', headers: { 'X-Token': 'a/b', cookie: 'c=d' } }
    const { shown, secrets } = splitSecrets(target)
    expect(mergeSecrets(shown, secrets)).toEqual(target)
  })

  test('what is said anew stays, what is left out is gone, what is hidden is what is stored', () => {
    const { secrets } = splitSecrets(whole)
    const said = { url: 'https://other.example.com/', headers: { Authorization: 'Bearer new', Cookie: '•••' } }
    expect(mergeSecrets(said, secrets)).toEqual(said)
    expect(mergeSecrets({ url, headers: { Authorization: '•••' } }, secrets)).toEqual({
      url,
      headers: { Authorization: 'Bearer s3cret' },
    })
  })

  test('what an assertion wants of a secret is sealed, and found again by what it looks at', () => {
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

  test('which of several that are alike a mask stands for is known only while as many are said', () => {
    const alike = (value: unknown) => ({ source: 'json', path: '$.token', operator: 'not_equals', value })
    const whole = { assertions: [null, 'a', 'b'].map(alike) }
    const { shown, secrets } = splitSecrets(whole)
    expect(mergeSecrets(shown, secrets)).toEqual(whole)
    for (const said of [['•••'], ['•••', '•••', '•••'], [null, '•••']]) {
      expect(mergeSecrets({ assertions: said.map(alike) }, secrets)).toEqual({ assertions: said.map(alike) })
    }
  })

  test.each<[unknown]>([[{ toString: 1 }], [5], [null], [['a']]])(
    'an assertion that says %j is left as it is',
    (odd) => {
      const { secrets } = splitSecrets({
        assertions: [{ source: 'json', path: '$.token', operator: 'equals', value: 'a' }],
      })
      const said = { assertions: [odd, { path: odd, value: '•••' }, { source: odd, path: '$.token', value: '•••' }] }
      expect(mergeSecrets(said, secrets)).toEqual(said)
    },
  )

  test('a sign that something is hidden is seen wherever it stands', () => {
    expect(isHidden({ headers: { Cookie: '•••' } })).toBe(true)
    expect(isHidden({ url: 'https://example.com/?sig=•••' })).toBe(true)
    expect(isHidden({ url: 'https://example.com/' })).toBe(false)
  })
})
