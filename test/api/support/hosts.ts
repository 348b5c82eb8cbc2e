import { request } from 'node:http'
import type { Answer } from '../../support/caller.ts'
import type { TestService } from '../../support/test-service.ts'

/** A GET under a host name of choice, which fetch does not let a client choose. */
export function getAs(
  service: TestService,
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(`${service.url}${path}`, { headers: { ...headers, Host: host } }, async (response) => {
      const chunks = await response.toArray()
      const text = Buffer.concat(chunks).toString('utf8')
      const json = response.headers['content-type']?.includes('json')
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(response.headers as Record<string, string>),
        body: json ? JSON.parse(text) : text,
      })
    })
      .on('error', reject)
      .end()
  })
}
