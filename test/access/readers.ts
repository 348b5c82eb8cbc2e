import type { Answer } from '../support/caller.ts'
import type { TestService } from '../support/test-service.ts'

interface Sent {
  method?: string
  token?: string | undefined
  cookie?: string | undefined
  form?: Record<string, string>
  json?: object
  headers?: Record<string, string>
}

/** A request of a browser or of a program to an address of the page, with nothing that `Caller` adds. */
export async function send(service: TestService, path: string, sent: Sent = {}): Promise<Answer> {
  const { method = 'GET', token, cookie, form, json, headers = {} } = sent
  const response = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { Cookie: cookie } : {}),
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(form ? { body: new URLSearchParams(form) } : {}),
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
}

/** The cookie that an answer sets, as a browser sends it. */
export const cookieOf = ({ headers }: Answer): string | undefined => headers.get('set-cookie')?.split(';')[0]

/** The cookie of a reader who enters the password. */
export async function enter(service: TestService, password: string, base = ''): Promise<string | undefined> {
  return cookieOf(await send(service, base || '/', { method: 'POST', form: { password } }))
}

export const change = (service: TestService, body: object) => service.admin.patch('/admin/page', body)

export async function makeLink(service: TestService, expires_at = new Date(Date.now() + 3_600_000).toISOString()) {
  const { body } = await service.admin.post('/admin/page/access-links', { name: 'Board', expires_at })
  return body as { id: number; token: string; url: string; prefix: string }
}
