export interface Answer<T = Record<string, never>> {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers that the OpenAPI document describes, not TypeScript.
  body: T extends Record<string, never> ? any : T
}

export interface Caller {
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  del(path: string, headers?: Record<string, string>): Promise<Answer>
}

/** Calls the API as a client would. Paths start below `/api/v1`, unless they start with a double slash. */
export function callerOf(base: string, token: string | undefined): Caller {
  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const url = path.startsWith('//') ? `${base}${path.slice(1)}` : `${base}/api/v1${path}`
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: isJson(response) && text ? JSON.parse(text) : text,
    }
  }
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body = {}, headers = {}) => request('POST', path, body, headers),
    patch: (path, body = {}, headers = {}) => request('PATCH', path, body, headers),
    del: (path, headers) => request('DELETE', path, undefined, headers),
  }
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false
}
