import { describe, expect, test } from '@jest/globals'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import { addressesOf, hostname, pageNamedByHost, pageOfToken } from '../../src/domain/pages/rules.ts'

const page = (id: number, public_slug: string, custom_domains: string[] = []): PageRef => ({
  id,
  organization_id: 1,
  organization_slug: 'acme',
  page_slug: public_slug,
  public_slug,
  name: public_slug,
  visibility: 'public',
  viewer_auth_mode: 'none',
  viewer_password_configured: false,
  viewer_session_key: '',
  access_links: [],
  custom_domains,
})
const pages = [page(1, 'first'), page(2, 'second', ['status.second.com', 'old.second.com']), page(3, 'third')]

describe('the page of a host', () => {
  test.each([
    ['second.upbeat.io', 'upbeat.io', 2],
    ['SECOND.UPBEAT.IO:443', 'Upbeat.IO', 2],
    ['status.second.com', 'upbeat.io', 2],
    ['old.second.com', undefined, 2],
    ['third.upbeat.io', 'upbeat.io', 3],
    ['third.upbeat.io', undefined, undefined],
    ['third.upbeat.io', 'other.io', undefined],
    ['missing.upbeat.io', 'upbeat.io', undefined],
    ['upbeat.io', 'upbeat.io', undefined],
    ['thirdupbeat.io', 'upbeat.io', undefined],
    ['', 'upbeat.io', undefined],
    ['[::1]', 'upbeat.io', undefined],
  ])('%s below %s is page %s', (host, baseDomain, id) => {
    expect(pageNamedByHost(pages, { host, baseDomain })?.id).toBe(id)
  })

  test('a custom domain wins over a slug', () => {
    const both = [page(1, 'first'), page(2, 'second', ['first.upbeat.io'])]
    expect(pageNamedByHost(both, { host: 'first.upbeat.io', baseDomain: 'upbeat.io' })?.id).toBe(2)
  })

  test('a host that names no page is that of the token, else of the first page', () => {
    expect(pageOfToken(pages, 3)?.id).toBe(3)
    expect(pageOfToken(pages, undefined)?.id).toBe(1)
    expect(pageOfToken([], 3)).toBeUndefined()
  })
})

test.each([
  ['Example.COM:8080', 'example.com'],
  ['example.com.', 'example.com'],
  ['[2001:DB8::1]:80', '[2001:db8::1]'],
  ['[', ''],
  ['', ''],
])('the name in %j is %j', (host, name) => {
  expect(hostname(host)).toBe(name)
})

describe('the addresses of a page', () => {
  const second = pages[1]!
  const first = pages[0]!

  test.each([
    [first, 'http://localhost:3000/', undefined, 'localhost', 'http://localhost:3000/status/first'],
    [first, 'https://upbeat.io/', undefined, 'upbeat.io', 'https://upbeat.io/status/first'],
    [first, 'https://upbeat.io/', 'pages.io', 'first.pages.io', 'https://first.pages.io/'],
    [first, 'http://upbeat.io:8080/', 'pages.io', 'first.pages.io', 'http://first.pages.io:8080/'],
  ])('%# without a domain of its own', (of, baseUrl, baseDomain, domain, url) => {
    expect(addressesOf(of, { baseUrl, baseDomain })).toEqual({
      public_domain: domain,
      public_url: url,
      fallback_domain: domain,
      fallback_url: url,
      active_custom_domain: undefined,
      active_custom_url: undefined,
    })
  })

  test('with domains of its own the first is shown', () => {
    expect(addressesOf(second, { baseUrl: 'https://upbeat.io/', baseDomain: 'pages.io' })).toEqual({
      public_domain: 'status.second.com',
      public_url: 'https://status.second.com/',
      fallback_domain: 'second.pages.io',
      fallback_url: 'https://second.pages.io/',
      active_custom_domain: 'status.second.com',
      active_custom_url: 'https://status.second.com/',
    })
  })
})
