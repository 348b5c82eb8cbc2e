import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { send } from './readers.ts'

const MINUTE = 60_000
let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await service.admin.patch('/admin/settings', { logo_url: 'https://cdn.example.com/logo.svg' })
})
afterAll(() => service.close())

const styleOf = (body: string) => /<style>(.*?)<\/style>/s.exec(body)![1]!
const preview = (custom_css: unknown) => service.admin.post('/admin/settings/css-preview', { custom_css })

test('custom CSS is checked when it is stored, and shown without what is not allowed', async () => {
  const refused = await service.admin.patch('/admin/settings', { custom_css: 'h1 { color: red }\n@import "x";' })
  const message = 'line 2, column 1: @import is not allowed: use @media, @supports, @container, @keyframes, @font-face'
  expect([refused.status, refused.body.errors]).toEqual([400, [{ path: 'custom_css', message }]])
  const custom_css = 'h1 { background: url(https://cdn.example.com/a.png) }\nh2::before { content: "</style>" }'
  expect((await service.admin.patch('/admin/settings', { custom_css })).body.custom_css).toBe(custom_css)
  const shown = await send(service, '/')
  expect(styleOf(shown.body)).toContain(
    'h1{background:url(https://cdn.example.com/a.png)}h2::before{content:"\\3c /style>"}',
  )
  const policy = shown.headers.get('content-security-policy')!
  expect(policy).toContain('img-src data: https://cdn.example.com/logo.svg https://cdn.example.com/a.png;')
  // The stored CSS may name a host that the settings do not name any more.
  const { status, body } = await service.admin.patch('/admin/settings', { logo_url: '' })
  expect([status, body.custom_css]).toEqual([200, custom_css])
  const later = await send(service, '/')
  expect(styleOf(later.body)).not.toContain('cdn.example.com')
  expect(styleOf(later.body)).toContain('h1{}h2::before')
  await service.admin.patch('/admin/settings', { logo_url: 'https://cdn.example.com/logo.svg', custom_css: '' })
})

test('a preview shows CSS at its address for 15 minutes, and nowhere else', async () => {
  const { status, body } = await preview('h1 { color: rebeccapurple }')
  expect(status).toBe(200)
  expect(body.url).toBe(`http://status.test/status/first?css_preview=${body.token}`)
  const left = new Date(body.expires_at).getTime() - Date.now()
  expect([left > 14 * MINUTE, left <= 15 * MINUTE]).toEqual([true, true])
  for (const path of ['/', '/history', '/status/first']) {
    const shown = await send(service, `${path}?css_preview=${body.token}`)
    expect([path, shown.status, shown.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
    expect(shown.headers.get('x-robots-tag')).toBe('noindex')
    expect(styleOf(shown.body)).toContain('h1{color:rebeccapurple}')
    expect(shown.body).toContain('<p class="card" data-preview>This page shows a preview of CSS.')
    expect((await send(service, path)).body).not.toContain('data-preview')
    expect((await send(service, path)).body).not.toContain('rebeccapurple')
  }
  service.now = new Date(Date.now() + 15 * MINUTE)
  const ended = (await send(service, `/?css_preview=${body.token}`)).body
  expect(ended).not.toContain('rebeccapurple')
  expect(ended).toContain('This preview of CSS has ended or is not valid.')
  service.now = undefined as never
})

test('a token that is wrong, or of another page, shows the page with a line about it', async () => {
  const { token } = (await preview('h1 { color: rebeccapurple }')).body
  const [id, signature] = token.split('.')
  for (const one of [
    'x',
    id,
    `${id}.`,
    `${Number(id) + 1}.${signature}`,
    `${id}.${signature}x`,
    `${token}&css_preview=x`,
  ]) {
    const { status, body, headers } = await send(service, `/?css_preview=${one}`)
    expect([one, status, body.includes('rebeccapurple')]).toEqual([one, 200, false])
    expect(body).toContain('This preview of CSS has ended or is not valid.')
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await send(service, `/status/other?css_preview=${token}`)).body).not.toContain('rebeccapurple')
  const without = await send(service, '/?css_preview=')
  expect(without.body).not.toContain('data-preview')
  expect(without.headers.get('cache-control')).toBe('public, no-cache')
})

test('a preview does not open a page', async () => {
  const { token } = (await preview('h1 { color: red }')).body
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect((await send(service, `/?css_preview=${token}`)).status).toBe(404)
  await service.admin.patch('/admin/page', { visibility: 'public' })
})

test('the newest twenty previews work', async () => {
  const tokens: string[] = []
  for (let n = 0; n < 21; n += 1) tokens.push((await preview(`h1 { top: ${n}px }`)).body.token)
  expect((await send(service, `/?css_preview=${tokens[0]}`)).body).not.toContain('h1{top:0px}')
  expect((await send(service, `/?css_preview=${tokens[1]}`)).body).toContain('h1{top:1px}')
  expect((await send(service, `/?css_preview=${tokens[20]}`)).body).toContain('h1{top:20px}')
})

test.each([
  ['a { behavior: none }', 'line 1, column 5: the property "behavior" is not allowed'],
  [7, undefined],
  [undefined, undefined],
])('a preview of %j is refused', async (css, message) => {
  const { status, body } = await preview(css)
  expect([status, body.errors[0].path]).toEqual([400, 'custom_css'])
  if (message) expect(body.errors[0].message).toBe(message)
})
