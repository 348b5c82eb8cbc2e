import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { atomRules, rssRules } from './format-rules.ts'
import { elementsOf, parsers } from './parse-feeds.ts'

/** Texts that a careless writer of XML or HTML would not keep as text. */
const hostile = [
  '</title></item></channel><script>alert(1)</script>',
  ']]><script>alert(1)</script><![CDATA[',
  '&lt;img src=x onerror=alert(1)&gt; &amp;amp;',
  '<img src=x onerror="alert(1)">',
  '"><svg onload=alert(1)>',
  "'; DROP TABLE feed; --",
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>&a;',
  'control \u0001\u0008\u000b\u001f characters \ufffe\uffff end',
  'javascript:alert(1) [link](javascript:alert(1)) <https://example.com/?a=1&b=2>',
  'line separators \u2028 \u2029 \u0085 and \u202e marks',
  'emoji \u{1f4a5} and العربية',
  '{{Monitor-Name}} {title} {status} $& $1 \\n',
  '-->'.repeat(3),
]

let service: TestService
let paths: string[]
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const create = async (path: string, body: object) => {
    const { status, body: made } = await admin.post(path, body)
    expect([path, status, made]).toEqual([path, 201, made])
    return made.id as number
  }
  await admin.patch('/admin/settings', {
    ...{ site_title: hostile[0], site_subtitle: hostile[1], supported_locales: ['en', 'ar'] },
  })
  const items: number[] = []
  for (const [index, text] of hostile.entries()) {
    const name = text.replace(/[\p{Cc}\u2028\u2029]/gu, '')
    const item = await create('/admin/hierarchy/items', { name })
    items.push(item)
    const words = { title: text, description: text, impact: text, affected_items_freetext: text }
    const incident = await create('/admin/incidents', { ...words, affected_items: [{ id: item }] })
    await create(`/admin/incidents/${incident}/updates`, { message: text })
    if (index % 3 === 0) await create('/admin/maintenances', { ...words, affected_items: [{ id: item }] })
  }
  const scope = { kind: 'items', item_ids: items }
  const feedOf = (format: string, index: number) =>
    create('/admin/feeds', { name: hostile[index], format, scope, locale: 'ar' })
  const [rss, atom] = [await feedOf('rss', 3), await feedOf('atom', 4)]
  const below = (format: string) =>
    ['', ...items.slice(0, 3).map((id) => `/items/${id}`)].map((at) => `${at}/feed.${format}`)
  const bases = [...below('rss'), ...below('atom'), `/feeds/${rss}.rss`, `/feeds/${atom}.atom`]
  paths = bases.flatMap((path) => [path, `${path}?entries=incidents`])
})
afterAll(() => service.close())

const read = async (path: string): Promise<string> => (await service.as(undefined).get(`/${path}`)).body

describe.each([
  ['rss', rssRules],
  ['atom', atomRules],
] as const)('every feed in %s', (format, rules) => {
  test.each(rules)('%s', async (_name, broken) => {
    for (const path of paths.filter((one) => one.includes(`.${format}`))) {
      expect([path, broken(await read(path))]).toEqual([path, []])
    }
  })

  test('is empty by the same rules', async () => {
    const document = await read(`/status/other/feed.${format}`)
    for (const [name, broken] of rules) expect([name, broken(document)]).toEqual([name, []])
  })

  test('is read alike by two parsers', async () => {
    for (const path of paths.filter((one) => one.includes(`.${format}`))) {
      const document = await read(path)
      const [first, second] = await Promise.all(Object.values(parsers).map((parse) => parse(document)))
      expect([path, second]).toEqual([path, first])
      expect(first!.length).toBeGreaterThan(0)
    }
  })
})

/** As a reader gets the text: without forbidden characters, and with the spaces of a line. */
const shown = (text: string) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').trim()
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const ours =
  /<\/?(p|b|i|em|strong|br|hr|ul|ol|li|code|pre|blockquote|time|table|a)( (datetime|dir|lang|href|rel)="[^"<>]*")*>/g

test.each(hostile)('%j stays text', async (text) => {
  const wanted = shown(text)
  for (const format of ['rss', 'atom']) {
    const document = await read(`/feed.${format}?entries=incidents`)
    const entries = (await parsers.feedsmith(document)).filter(({ title }) => title === wanted)
    expect(entries.length).toBeGreaterThan(0)
    for (const { content } of entries) {
      expect(content.replaceAll('&#39;', "'")).toContain(`</b> ${escaped(wanted)}`)
      expect(content.replace(ours, '')).not.toContain('<')
      expect(content).not.toMatch(/href="(?!https?:|mailto:)/)
    }
  }
})

test('a feed of a language has its labels and direction', async () => {
  const path = paths.find((one) => one.startsWith('/feeds/') && one.includes('.atom'))!
  expect(await read(path)).toContain('xml:lang="en"')
  await service.admin.patch('/admin/settings', { document_locale: 'ar' })
  const document = await read(path)
  expect(document).toContain('xml:lang="ar"')
  expect(elementsOf(document, 'subtitle')[0]).toContain('الحوادث')
  expect(elementsOf(document, 'title').filter((title) => / – [^–]*، [^–]*$/.test(title))).not.toEqual([])
})
