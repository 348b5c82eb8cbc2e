import { describe, expect, test } from '@jest/globals'
import { type Admission, admissionOf, type Credential, localPath } from '../../src/web/access/access-rules.ts'

const credentials: Credential[] = ['none', 'token', 'link', 'session']

describe('who may read a page', () => {
  test.each<['public' | 'private', 'none' | 'password', ...Admission[]]>([
    ['public', 'none', 'read', 'read', 'read', 'read'],
    ['private', 'none', 'not_found', 'read', 'read', 'not_found'],
    ['public', 'password', 'password', 'read', 'read', 'read'],
    ['private', 'password', 'password', 'read', 'read', 'read'],
  ])('%s and %s', (visibility, viewer_auth_mode, ...expected) => {
    const page = { visibility, viewer_auth_mode }
    expect(credentials.map((credential) => admissionOf(page, credential))).toEqual(expected)
  })
})

describe('the path after the password', () => {
  test.each<[string | null, string, string]>([
    ['/', '', '/'],
    ['/incidents/7?locale=de', '', '/incidents/7?locale=de'],
    [null, '', '/'],
    ['', '', '/'],
    ['incidents', '', '/'],
    ['//elsewhere.example', '', '/'],
    ['/\\elsewhere.example', '', '/'],
    ['/a\\b', '', '/'],
    ['https://elsewhere.example/', '', '/'],
    ['javascript:alert(1)', '', '/'],
    ['/a\r\nSet-Cookie: a=b', '', '/'],
    ['/a b', '', '/'],
    ['/\t/elsewhere.example', '', '/'],
    ['/status/acme', '/status/acme', '/status/acme'],
    ['/status/acme?locale=de', '/status/acme', '/status/acme?locale=de'],
    ['/status/acme/history', '/status/acme', '/status/acme/history'],
    ['/status/acme/../other', '/status/acme', '/status/acme'],
    ['/status/acmes', '/status/acme', '/status/acme'],
    ['/', '/status/acme', '/status/acme'],
  ])('%j below %j is %j', (asked, base, expected) => {
    expect(localPath(asked, base)).toBe(expected)
  })
})
